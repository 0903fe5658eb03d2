package library

import (
	"slices"
	"strings"
)

// row is functions of one kind, their names separated by spaces.
type row struct {
	kind   Kind
	always bool
	names  string
}

var table = []row{
	{Error, true, `reach_error __VERIFIER_error __assert_fail __assert __assert_func __assert_rtn __assert_perror_fail
		__seahorn_fail seahorn_fail __SEAHORN_error`},
	{Assert, false, `assert __VERIFIER_assert sassert __hornbeam_assert __CPROVER_assert __ESBMC_assert`},
	{AssertNot, false, `__VERIFIER_assert_not`},
	{AssertIf, false, `__VERIFIER_assert_if sea_assert_if`},
	{Assume, false, `__VERIFIER_assume assume __SEA_assume __CPROVER_assume __ESBMC_assume __builtin_assume __hornbeam_assume`},
	{Stop, false, `abort exit _exit _Exit quick_exit __builtin_unreachable __builtin_trap`},

	{Allocate, false, `malloc calloc realloc reallocarray alloca valloc pvalloc memalign aligned_alloc strdup strndup
		kmalloc __kmalloc kzalloc`},
	{Release, false, `free cfree kfree`},
	{Memory, false, `memcpy memmove memset memcmp memchr memrchr mempcpy memccpy bzero bcopy bcmp
		strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strcpy strncpy strcat strncat stpcpy stpncpy
		strchr strrchr strchrnul index rindex strstr strspn strcspn strpbrk
		atoi atol atoll strtol strtoul strtoll strtoull`},
	{Compute, false, `abs labs llabs imaxabs
		isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toupper tolower isascii toascii
		popcount popcountl popcountll clz clzl clzll ctz ctzl ctzll ffs ffsl ffsll parity parityl parityll
		clrsb clrsbl clrsbll bswap16 bswap32 bswap64 bitreverse8 bitreverse16 bitreverse32 bitreverse64
		htonl htons ntohl ntohs`},
	{Compute, false, `__builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow
		__builtin_sadd_overflow __builtin_saddl_overflow __builtin_saddll_overflow
		__builtin_uadd_overflow __builtin_uaddl_overflow __builtin_uaddll_overflow
		__builtin_ssub_overflow __builtin_ssubl_overflow __builtin_ssubll_overflow
		__builtin_usub_overflow __builtin_usubl_overflow __builtin_usubll_overflow
		__builtin_smul_overflow __builtin_smull_overflow __builtin_smulll_overflow
		__builtin_umul_overflow __builtin_umull_overflow __builtin_umulll_overflow
		__builtin_constant_p`},
	{Math, false, `fabs fabsf fabsl sqrt sqrtf sqrtl floor floorf floorl ceil ceilf ceill trunc truncf truncl
		round roundf roundl lround lroundf lroundl llround llroundf llroundl rint rintf rintl
		nearbyint nearbyintf nearbyintl lrint lrintf lrintl llrint llrintf llrintl
		fmod fmodf fmodl remainder remainderf remainderl drem copysign copysignf copysignl
		fmin fminf fminl fmax fmaxf fmaxl fdim fdimf fdiml modf modff modfl fma fmaf fmal
		frexp frexpf frexpl ldexp ldexpf ldexpl scalbn scalbnf scalbnl ilogb ilogbf ilogbl logb logbf logbl
		nan nanf nanl inf inff infl huge_val huge_valf huge_vall nextafter nextafterf
		isnan isnanf isnanl isinf isinff isinfl isinf_sign finite finitef finitel isfinite isnormal signbit signbitf signbitl
		__isnan __isnanf __isnanl __isinf __isinff __isinfl __finite __finitef __finitel __signbit __signbitf __signbitl
		__isnormal __isnormalf __isnormall __iszero __iszerof __iszerol __issubnormal __issubnormalf __issubnormall
		__fpclassify __fpclassifyf __fpclassifyl fpclassify
		isgreater isgreaterequal isless islessequal islessgreater isunordered
		sin sinf sinl cos cosf cosl tan tanf tanl asin asinf asinl acos acosf acosl atan atanf atanl atan2 atan2f atan2l
		sinh sinhf cosh coshf tanh tanhf asinh acosh atanh exp expf expl exp2 exp2f exp2l expm1 expm1f expm1l
		log logf logl log2 log2f log2l log10 log10f log10l log1p log1pf log1pl pow powf powl cbrt cbrtf cbrtl hypot hypotf hypotl
		erf erff erfl erfc erfcf lgamma lgammaf tgamma tgammaf
		fesetround fegetround feclearexcept fetestexcept feraiseexcept`},
	{Output, false, `printf fprintf vprintf vfprintf puts fputs putchar putc fputc putchar_unlocked fwrite perror syslog fflush
		printk sea_printf dprintf vsyslog`},
	{Input, false, `scanf fscanf sscanf vscanf vfscanf vsscanf fgets gets fread sprintf snprintf vsprintf vsnprintf asprintf vasprintf
		read pread recv recvfrom getline getdelim getcwd readlink gethostname posix_memalign pipe socketpair
		time times gettimeofday clock_gettime nanosleep wait waitpid getrusage getrlimit stat fstat lstat uname
		sigemptyset sigfillset sigaddset sigdelset mbtowc mbstowcs strftime`},
	{NonNegative, false, `rand random`},
	{Expect, false, `__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned
		sea_begin_unique sea_end_unique sea_mkown sea_mkshr sea_bor_mkbor sea_bor_mksuc __sea_set_extptr_slot0_hm __sea_set_extptr_slot1_hm`},
	{Havoc, false, `memhavoc`},
	{Ignore, false, `sea_dsa_alias sea_die sea_branch_sentinel srand srandom __VERIFIER_atomic_begin __VERIFIER_atomic_end __builtin_prefetch __sync_synchronize
		__builtin_va_start __builtin_va_end __builtin_va_copy va_start va_end va_copy`},
	{Metadata, false, `sea_is_dereferenceable sea_is_alloc sea_free sea_tracking_on sea_tracking_off sea_is_modified sea_reset_modified
		sea_set_shadowmem sea_get_shadowmem`},
	{Refuse, false, `setjmp _setjmp __sigsetjmp sigsetjmp longjmp siglongjmp __builtin_setjmp __builtin_longjmp
		pthread_create pthread_join pthread_exit fork vfork clone atexit at_quick_exit on_exit signal sigaction
		__builtin_va_arg va_arg qsort qsort_r bsearch lfind lsearch tfind tsearch strtok strtok_r strsep __SMACK_code __SMACK_mod __SMACK_decl __SMACK_top_decl __SMACK_decls
		requires ensures invariant forall exists qvar
		sea_is_read sea_reset_read __sea_get_extptr_slot0_hm __sea_get_extptr_slot1_hm
		__builtin_return_address __builtin_frame_address __builtin_apply`},
}

// functions is the table by name.
var functions = func() map[string]Function {
	m := map[string]Function{}
	for _, r := range table {
		for _, name := range strings.Fields(r.names) {
			m[name] = Function{Name: name, Kind: r.kind, Always: r.always}
		}
	}
	return m
}()

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
