package lib

import (
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
	{Assert, false, `assert __VERIFIER_assert sassert __hornbeam_assert __hornbeam_rely __hornbeam_rely_valid __CPROVER_assert __ESBMC_assert`},
	{AssertNot, false, `__VERIFIER_assert_not`},
	{AssertIf, false, `__VERIFIER_assert_if sea_assert_if`},
	{Assume, false, `__VERIFIER_assume assume __SEA_assume __CPROVER_assume __ESBMC_assume __builtin_assume __hornbeam_assume`},
	{Stop, false, `abort exit _exit _Exit quick_exit __builtin_unreachable thrd_exit pthread_exit`},
	{Trap, false, `__builtin_trap`},

	{Allocate, false, `malloc calloc realloc reallocarray alloca valloc pvalloc memalign aligned_alloc strdup strndup
		kmalloc __kmalloc kzalloc`},
	{Release, false, `free cfree kfree`},
	{Memory, false, `memcpy memmove memset memcmp memchr memrchr mempcpy memccpy bzero bcopy bcmp
		strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strcpy strncpy strcat strncat stpcpy stpncpy
		strchr strrchr strchrnul index rindex strstr strspn strcspn strpbrk
		atoi atol atoll strtol strtoul strtoll strtoull qsort bsearch`},
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
	{Math, false, `remquo remquof remquol sincos sincosf sincosl lgamma_r lgammaf_r lgammal_r lgammal tgammal erfcl nextafterl
		nexttoward nexttowardf nexttowardl scalbln scalblnf scalblnl sinhl coshl tanhl asinhf asinhl acoshf acoshl atanhf atanhl
		exp10 exp10f exp10l significand gamma j0 j1 jn y0 y1 yn
		fegetenv fesetenv feholdexcept feupdateenv difftime fegetexceptflag fesetexceptflag feenableexcept fedisableexcept fegetexcept`},
	{Output, false, `printf fprintf vprintf vfprintf puts fputs putchar putc fputc putchar_unlocked putc_unlocked fputc_unlocked
		fputs_unlocked puts_unlocked fwrite_unlocked fwrite perror syslog fflush printk sea_printf dprintf vdprintf vsyslog
		write pwrite send sendto putw psignal fputws fputwc putwc putwchar wprintf fwprintf vwprintf vfwprintf`},
	{Input, false, `scanf fscanf sscanf vscanf vfscanf vsscanf fgets gets fread sprintf snprintf vsprintf vsnprintf asprintf vasprintf
		read pread recv recvfrom getline getdelim getcwd readlink gethostname posix_memalign pipe socketpair
		time times gettimeofday clock_gettime clock_getres timespec_get nanosleep wait waitpid getrusage getrlimit stat fstat lstat uname
		sigemptyset sigfillset sigaddset sigdelset sigprocmask sigpending mbtowc mbstowcs strftime
		fread_unlocked fgets_unlocked getgroups getsockopt accept getsockname getpeername poll select pselect ioctl fcntl
		getpwnam_r getpwuid_r getaddrinfo getnameinfo getopt getopt_long getopt_long_only realpath mkstemp mkdtemp tmpnam
		rand_r getentropy getrandom setvbuf setbuf inet_aton inet_pton tcgetattr fgetpos fgetws fwscanf wscanf swscanf
		__xstat __fxstat __lxstat __xstat64 __fxstat64 __lxstat64 stat64 fstat64 lstat64 readdir_r getlogin_r ttyname_r
		sem_getvalue sem_wait sem_post sem_init sem_destroy sem_trywait sigsuspend
		pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock
		pthread_cond_init pthread_cond_destroy pthread_cond_wait pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast
		pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
		pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_mutexattr_init pthread_mutexattr_settype
		pthread_mutexattr_destroy pthread_key_create
		mtx_init mtx_lock mtx_trylock mtx_timedlock mtx_unlock mtx_destroy cnd_init cnd_signal cnd_broadcast cnd_wait cnd_timedwait
		cnd_destroy tss_create thrd_sleep`},
	{System, false, `rand random getchar fgetc getc getchar_unlocked fgetc_unlocked getc_unlocked getw ungetc feof ferror fclose fileno
		fseek fseeko ftell ftello fsetpos rewind clearerr remove rename pclose fopen fdopen freopen popen tmpfile
		getwc fgetwc getwchar ungetwc fwide
		clock sleep usleep alarm pause sync isatty access open creat close lseek dup dup2 chdir unlink rmdir link symlink chown fchown
		lchown ftruncate truncate fsync setsid getpid getppid getpgrp getpgid setpgid getuid geteuid getgid getegid setuid setgid sysconf
		getpagesize nice ttyname system getenv setenv putenv unsetenv strerror strsignal raise kill umask mkdir mkfifo mknod chmod fchmod
		sched_yield openlog closelog setlogmask socket bind listen connect shutdown setsockopt flock
		mprotect msync munmap mmap opendir closedir readdir rewinddir fdopendir dirfd utime utimes settimeofday stime setrlimit
		getpwnam getpwuid getgrgid getgrnam getlogin inet_addr __builtin_object_size
		execv execve execvp execl execlp
		pthread_self pthread_equal pthread_detach pthread_cancel pthread_setspecific pthread_getspecific
		thrd_current thrd_equal thrd_detach thrd_yield tss_get tss_set tss_delete
		gethostbyname gethostbyaddr getservbyname getservbyport getprotobyname freeaddrinfo gai_strerror
		tcsetattr tcflush tcdrain tcsendbreak cfgetispeed cfgetospeed regfree endpwent setpwent`},
	{Unmodelled, false, `atof strtod strtof strtold strtoimax strtoumax wcstoimax wcstoumax strxfrm memmem strverscmp
		div ldiv lldiv imaxdiv setlocale localeconv basename dirname mblen wctomb wcstombs btowc wctob mbsinit
		mbrtowc wcrtomb mbrlen mbsrtowcs wcsrtombs mbrtoc16 c16rtomb mbrtoc32 c32rtomb
		wcslen wcsnlen wcscmp wcsncmp wcscoll wcscasecmp wcsncasecmp wcscpy wcsncpy wcscat wcsncat wcpcpy wcpncpy wcschr wcsrchr wcsstr
		wcsspn wcscspn wcspbrk wcstok wcsdup wcsxfrm wmemcpy wmemmove wmemset wmemcmp wmemchr wmempcpy
		wcstol wcstoll wcstoul wcstoull wcstod wcstof wcstold swprintf vswprintf wcsftime
		iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
		towlower towupper iswctype wctype towctrans wctrans
		mktime timegm gmtime localtime gmtime_r localtime_r asctime asctime_r ctime ctime_r tzset strptime
		regcomp regexec regerror sigismember cfsetispeed cfsetospeed cfmakeraw inet_ntoa inet_ntop strerror_r
		ecvt fcvt gcvt l64a a64l swab getsubopt iconv iconv_open iconv_close
		creal crealf creall cimag cimagf cimagl
		cabs cabsf cabsl carg cargf cargl conj conjf conjl cproj cprojf cprojl cexp cexpf cexpl
		clog clogf clogl csqrt csqrtf csqrtl csin csinf csinl ccos ccosf ccosl ctan ctanf ctanl
		casin casinf casinl cacos cacosf cacosl catan catanf catanl csinh csinhf csinhl ccosh ccoshf ccoshl
		ctanh ctanhf ctanhl casinh casinhf casinhl cacosh cacoshf cacoshl catanh catanhf catanhl cpow cpowf cpowl
		__strtol_internal __strtoul_internal __strtod_internal`},
	{Expect, false, `__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned
		sea_begin_unique sea_end_unique sea_mkown sea_mkshr sea_bor_mkbor sea_bor_mksuc __sea_set_extptr_slot0_hm __sea_set_extptr_slot1_hm`},
	{Havoc, false, `memhavoc __hornbeam_havoc`},
	{Any, false, `__hornbeam_any`},
	{Valid, false, `__hornbeam_valid __hornbeam_valid_tracked`},
	{Require, false, `__hornbeam_defined`},
	{Ignore, false, `sea_dsa_alias sea_die sea_branch_sentinel srand srandom __VERIFIER_atomic_begin __VERIFIER_atomic_end __builtin_prefetch __sync_synchronize
		__builtin_va_start __builtin_va_end __builtin_va_copy va_start va_end va_copy`},
	{Metadata, false, `sea_is_dereferenceable sea_is_alloc sea_free sea_tracking_on sea_tracking_off sea_is_modified sea_reset_modified
		sea_set_shadowmem sea_get_shadowmem`},
	{Refuse, false, `setjmp _setjmp __sigsetjmp sigsetjmp longjmp siglongjmp __builtin_setjmp __builtin_longjmp
		pthread_create pthread_join thrd_create thrd_join call_once pthread_once fork vfork clone atexit at_quick_exit on_exit signal sigaction
		__builtin_va_arg va_arg qsort_r lfind lsearch tfind tsearch strtok strtok_r strsep __SMACK_code __SMACK_mod __SMACK_decl __SMACK_top_decl __SMACK_decls
		requires ensures invariant forall exists qvar
		sea_is_read sea_reset_read __sea_get_extptr_slot0_hm __sea_get_extptr_slot1_hm
		__builtin_return_address __builtin_frame_address __builtin_apply`},
}

// functions is the table by name.
var functions = func() map[string]Function {
	m := map[string]Function{}
	for _, r := range table {
		for _, name := range strings.Fields(r.names) {
			m[name] = Function{Name: name, Kind: r.kind, Always: r.always, Result: results[name]}
		}
	}
	return m
}()
