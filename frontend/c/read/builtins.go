package read

import (
	"fmt"
	"maps"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/tree"
)

// builtinDeclarations declare the functions that gcc knows without a declaration. Each is also known as __builtin_NAME.
const builtinDeclarations = `
void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
void _Exit(int) __attribute__((noreturn));
int abs(int);
long labs(long);
long long llabs(long long);
void *malloc(__SIZE_TYPE__);
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *realloc(void *, __SIZE_TYPE__);
void free(void *);
void *alloca(__SIZE_TYPE__);
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memmove(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
int memcmp(const void *, const void *, __SIZE_TYPE__);
void *memchr(const void *, int, __SIZE_TYPE__);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, __SIZE_TYPE__);
char *strcat(char *, const char *);
char *strncat(char *, const char *, __SIZE_TYPE__);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, __SIZE_TYPE__);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strpbrk(const char *, const char *);
char *strdup(const char *);
__SIZE_TYPE__ strlen(const char *);
__SIZE_TYPE__ strspn(const char *, const char *);
__SIZE_TYPE__ strcspn(const char *, const char *);
int printf(const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, __SIZE_TYPE__, const char *, ...);
int scanf(const char *, ...);
int sscanf(const char *, const char *, ...);
int putchar(int);
int puts(const char *);
int isalnum(int); int isalpha(int); int isblank(int); int iscntrl(int); int isdigit(int); int isgraph(int);
int islower(int); int isprint(int); int ispunct(int); int isspace(int); int isupper(int); int isxdigit(int);
int tolower(int); int toupper(int);
double fabs(double); float fabsf(float); long double fabsl(long double);
double sqrt(double); float sqrtf(float); double pow(double, double); double floor(double); double ceil(double);
double fmod(double, double); double sin(double); double cos(double); double tan(double); double exp(double); double log(double);
double atan(double); double atan2(double, double); double asin(double); double acos(double); double log10(double);
double fmin(double, double); double fmax(double, double); double round(double); double trunc(double);
double copysign(double, double); float copysignf(float, float);
void __builtin_unreachable(void) __attribute__((noreturn));
void __builtin_trap(void) __attribute__((noreturn));
void __builtin_prefetch(const void *, ...);
__SIZE_TYPE__ __builtin_object_size(const void *, int);
void *__builtin_return_address(unsigned int);
void *__builtin_frame_address(unsigned int);
double __builtin_inf(void); float __builtin_inff(void); long double __builtin_infl(void);
double __builtin_nan(const char *); float __builtin_nanf(const char *); long double __builtin_nanl(const char *);
double __builtin_huge_val(void); float __builtin_huge_valf(void); long double __builtin_huge_vall(void);
int __builtin_clz(unsigned int); int __builtin_clzl(unsigned long); int __builtin_clzll(unsigned long long);
int __builtin_ctz(unsigned int); int __builtin_ctzl(unsigned long); int __builtin_ctzll(unsigned long long);
int __builtin_ffs(int); int __builtin_ffsl(long); int __builtin_ffsll(long long);
int __builtin_popcount(unsigned int); int __builtin_popcountl(unsigned long); int __builtin_popcountll(unsigned long long);
int __builtin_parity(unsigned int); int __builtin_parityl(unsigned long); int __builtin_parityll(unsigned long long);
__UINT16_TYPE__ __builtin_bswap16(__UINT16_TYPE__);
__UINT32_TYPE__ __builtin_bswap32(__UINT32_TYPE__);
__UINT64_TYPE__ __builtin_bswap64(__UINT64_TYPE__);
`

// unsupportedFunctions are those whose calls have no meaning that this front end could give them, and why.
var unsupportedFunctions = map[string]string{
	"setjmp": "setjmp", "_setjmp": "setjmp", "__sigsetjmp": "setjmp", "sigsetjmp": "setjmp", "__builtin_setjmp": "setjmp",
	"longjmp": "longjmp", "_longjmp": "longjmp", "siglongjmp": "longjmp", "__builtin_longjmp": "longjmp",
	"pthread_create": "threads (pthread_create)", "thrd_create": "threads (thrd_create)", "fork": "fork", "vfork": "fork",
	"__builtin_apply": "__builtin_apply", "__builtin_return": "__builtin_return", "__builtin_apply_args": "__builtin_apply_args",
	"atexit": "atexit", "signal": "signal",
	"__SMACK_code": "inline Boogie (__SMACK_code)", "__SMACK_mod": "inline Boogie (__SMACK_mod)",
	"__SMACK_decl": "inline Boogie (__SMACK_decl)", "__SMACK_top_decl": "inline Boogie (__SMACK_top_decl)",
}

// setBuiltins takes what the prelude declared out of the program: it has only what it mentions, and may declare the names
// for itself.
func (r *reader) setBuiltins() {
	r.builtins = r.functions
	for name := range r.functions {
		delete(r.scope.names, name)
	}
	for name := range r.globals {
		delete(r.scope.names, name)
	}
	r.functions, r.globals = map[string]*tree.Function{}, map[string]*tree.Object{}
	r.out.Functions, r.out.Structs, r.mentioned = nil, nil, nil
	if r.linkage != nil {
		r.linkage.predeclared = &scope{names: maps.Clone(r.scope.names), tags: maps.Clone(r.scope.tags)}
	}
}

// builtinFunction is the function that gcc knows by a name that the program does not declare, nil if there is none.
// __builtin_memcpy is memcpy.
func (r *reader) builtinFunction(name string, pos tree.Pos) *tree.Function {
	plain, prefixed := strings.CutPrefix(name, "__builtin_")
	if prefixed && r.functions[plain] != nil && r.builtins[name] == nil {
		return r.functions[plain]
	}
	f := r.builtins[name]
	if f == nil && prefixed {
		f = r.builtins[plain]
	}
	if f == nil || r.functions[f.Name] != nil {
		return nil
	}
	g := r.functionNamed(f.Name, f.Type, pos)
	g.NoReturn, g.Implicit = f.NoReturn, !prefixed
	return g
}

// builtinCall reads the calls whose operands are not evaluated like others', nil if the call is not one of them.
func (r *reader) builtinCall(n *cc.PostfixExpression, pos tree.Pos) tree.Value {
	p, ok := n.PostfixExpression.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	name := p.Token.SrcStr()
	if !strings.HasPrefix(name, "__") {
		return nil
	}
	if m, ok := r.lookup(name); ok && (m.function == nil || m.function.Body != nil) {
		return nil
	}
	var arguments []cc.ExpressionNode
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		arguments = append(arguments, l.AssignmentExpression)
	}
	need := func(count int) {
		if len(arguments) != count {
			r.Fail(pos, "%s needs %d arguments", name, count)
		}
	}
	at := tree.At{Position: pos}
	switch name {
	case "__builtin_expect", "__builtin_expect_with_probability":
		if len(arguments) < 2 {
			need(2)
		}
		x := r.convert(r.rvalue(arguments[0]), r.types.long, pos)
		if expected := r.rvalue(arguments[1]); !isConstant(expected) {
			return &tree.Comma{At: at, First: r.effects(expected), Second: x}
		}
		return x
	case "__builtin_constant_p":
		need(1)
		end := r.unevaluatedly()
		v := r.rvalue(arguments[0])
		end()
		return constantOf(pos, r.types.int, boolToInt(isConstant(v)))
	case "__errno_location", "__error", "___errno":
		need(0)
		if r.errno == nil {
			r.errno = &tree.Object{Name: "errno", Unique: "$errno", Type: r.types.int, Storage: tree.Static, Pos: pos}
			r.mentioned = append(r.mentioned, r.errno)
		}
		return &tree.Address{At: at, T: r.types.pointer(r.types.int), Place: &tree.Use{At: at, Object: r.errno}}
	case "__builtin_choose_expr":
		need(3)
		if r.constantExpression(arguments[0], "what __builtin_choose_expr chooses by").Sign() != 0 {
			return r.rvalue(arguments[1])
		}
		return r.rvalue(arguments[2])
	case "__hornbeam_compatible":
		need(2)
		end := r.unevaluatedly()
		a, b := r.rvalue(arguments[0]), r.rvalue(arguments[1])
		end()
		x, y := a.Type().(*tree.Pointer).Elem, b.Type().(*tree.Pointer).Elem
		if compatible(x, y) && r.mayBeQualified(x) {
			r.Unsupported(pos, "__builtin_types_compatible_p that tells qualified types apart")
		}
		return constantOf(pos, r.types.int, boolToInt(compatible(x, y)))
	case "__CONTRACT_integer":
		need(1)
		v := r.rvalue(arguments[0])
		if t, ok := v.Type().(*tree.Integer); ok && t.Bits < 64 {
			return r.convert(v, r.types.longLong, pos)
		} else if ok {
			r.out.Bounded = true
		}
		return v
	case "__CONTRACT_requires", "__CONTRACT_ensures", "__CONTRACT_invariant", "__CONTRACT_old":
		need(1)
		return r.contractCall(name, arguments, pos)
	case "__CONTRACT_valid":
		need(4)
		return r.contractCall(name, arguments, pos)
	case "__CONTRACT_result":
		need(0)
		return r.contractCall(name, arguments, pos)
	case "__CONTRACT_forall", "__CONTRACT_exists", "__CONTRACT_variable":
		need(2)
		return r.contractCall(name, arguments, pos)
	case "__hornbeam_operand":
		need(2)
		end := r.unevaluatedly()
		place := r.rvalue(arguments[0])
		end()
		if tree.IsPointer(place.Type()) {
			// The operation is one on bytes, not on elements.
			r.Unsupported(pos, "an atomic operation on a pointer")
		}
		return r.rvalue(arguments[1])
	case "__hornbeam_va_arg", "__builtin_va_copy":
		need(2)
		return r.variadicCall(name, arguments, pos)
	case "__builtin_va_start", "__builtin_va_end":
		if len(arguments) == 0 {
			need(1)
		}
		return r.variadicCall(name, arguments, pos)
	case "__builtin_assume_aligned":
		if len(arguments) < 2 {
			need(2)
		}
		return r.convert(r.rvalue(arguments[0]), r.types.voidPointer, pos)
	case "__builtin_isnan", "__builtin_isinf", "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_isnormal", "__builtin_signbit",
		"__builtin_isgreater", "__builtin_isgreaterequal", "__builtin_isless", "__builtin_islessequal", "__builtin_islessgreater",
		"__builtin_isunordered", "__builtin_fpclassify":
		// Their operands have any type and are not converted: each call has its own.
		c := &tree.Call{At: at, T: r.types.int, Closing: r.pos(n.Token2)}
		for _, a := range arguments {
			c.Arguments = append(c.Arguments, r.rvalue(a))
		}
		c.Function = r.functions[name]
		if c.Function == nil {
			c.Function = r.functionNamed(name, &tree.FunctionType{Result: r.types.int, Unspecified: true}, pos)
		}
		return c
	}
	if v := r.overflowCall(name, arguments, pos); v != nil {
		return v
	}
	if strings.HasPrefix(name, "__sync_") || strings.HasPrefix(name, "__atomic_") {
		for _, a := range arguments {
			r.rvalue(a)
		}
		return &tree.UnsupportedValue{At: at, T: r.types.int, What: name}
	}
	return nil
}

// isConstant tells whether a value is a constant number.
func isConstant(v tree.Value) bool {
	switch v.(type) {
	case *tree.Constant, *tree.FloatConstant:
		return true
	}
	return false
}

// atomics are gcc's operations on memory that several threads share, as macros. With one thread they are the plain ones; an
// exchange that may fail for no reason does not, as on the machines that these programs run on.
var atomics = func() string {
	var b strings.Builder
	b.WriteString(`
#define __hornbeam_exchange(p, v) ({ __typeof__(p) __p = (p); __typeof__(*__p) __v = (v), __o = *__p; *__p = __v; __o; })
#define __hornbeam_compare(p, e, d) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) *__e = (e), __d = (d); _Bool __same = *__p == *__e; \
	if (__same) *__p = __d; else *__e = *__p; __same; })
#define __hornbeam_swap(p, o, n) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __o = (o), __n = (n), __was = *__p; if (__was == __o) *__p = __n; __was; })
#define __sync_bool_compare_and_swap(p, o, n, ...) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __o = (o), __n = (n); _Bool __same = *__p == __o; if (__same) *__p = __n; __same; })
#define __sync_val_compare_and_swap(p, o, n, ...) __hornbeam_swap(p, o, n)
#define __sync_lock_test_and_set(p, v, ...) __hornbeam_exchange(p, v)
#define __sync_lock_release(p, ...) ((void)(*(p) = 0))
#define __sync_synchronize(...) ((void)0)
#define __atomic_load_n(p, m) (*(p))
#define __atomic_load(p, r, m) ((void)(*(r) = *(p)))
#define __atomic_store_n(p, v, m) ((void)(*(p) = (v)))
#define __atomic_store(p, v, m) ((void)(*(p) = *(v)))
#define __atomic_exchange_n(p, v, m) __hornbeam_exchange(p, v)
#define __atomic_exchange(p, v, r, m) ({ \
	__typeof__(p) __p = (p); __typeof__(*__p) __v = *(v), *__r = (r), __o = *__p; *__p = __v; *__r = __o; (void)0; })
#define __atomic_compare_exchange_n(p, e, d, w, s, f) __hornbeam_compare(p, e, d)
#define __atomic_compare_exchange(p, e, d, w, s, f) __hornbeam_compare(p, e, *(d))
#define __atomic_test_and_set(p, m) ({ unsigned char *__p = (unsigned char *)(p); _Bool __o = *__p; *__p = 1; __o; })
#define __atomic_clear(p, m) ((void)(*(unsigned char *)(p) = 0))
#define __atomic_thread_fence(m) ((void)0)
#define __atomic_signal_fence(m) ((void)0)
`)
	for _, o := range [][2]string{{"add", "__o + __v"}, {"sub", "__o - __v"}, {"and", "__o & __v"}, {"or", "__o | __v"}, {"xor", "__o ^ __v"}, {"nand", "~(__o & __v)"}} {
		name, operation := o[0], o[1]
		fmt.Fprintf(&b, "#define __hornbeam_%s(p, v, r) ({ __typeof__(p) __p = (p); __typeof__(*__p) __v = __hornbeam_operand(*__p, v), __o = *__p; *__p = %s; r; })\n", name, operation)
		fmt.Fprintf(&b, "#define __sync_fetch_and_%[1]s(p, v, ...) __hornbeam_%[1]s(p, v, __o)\n", name)
		fmt.Fprintf(&b, "#define __sync_%[1]s_and_fetch(p, v, ...) __hornbeam_%[1]s(p, v, *__p)\n", name)
		fmt.Fprintf(&b, "#define __atomic_fetch_%[1]s(p, v, m) __hornbeam_%[1]s(p, v, __o)\n", name)
		fmt.Fprintf(&b, "#define __atomic_%[1]s_fetch(p, v, m) __hornbeam_%[1]s(p, v, *__p)\n", name)
	}
	return b.String()
}()

// validity is the condition that the elements from one to another one behind a pointer can be read or, where the last argument is not
// zero, written: a call of a function with the pointer, the numbers of the elements, and whether they are written. What the condition
// adds to the pointer is added to the numbers: no pointer need be computed that leads nowhere.
func (r *reader) validity(arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	p := r.rvalue(arguments[0])
	t, ok := p.Type().(*tree.Pointer)
	if !ok {
		r.Fail(pos, "\\valid of what is no pointer, of type %s", p.Type())
	}
	if _, function := t.Elem.(*tree.FunctionType); function || !complete(t.Elem) || t.Elem.Size() <= 0 {
		r.Fail(pos, "\\valid of a pointer of type %s, which leads to no object of a size that is known", t)
	}
	// A number in the annotation has 64 bits, which are enough: the interpreter and the translation compute with it exactly.
	first, last := r.convert(r.rvalue(arguments[1]), r.types.longLong, pos), r.convert(r.rvalue(arguments[2]), r.types.longLong, pos)
	for {
		if sum, ok := p.(*tree.PointerSum); ok && tree.Same(sum.T.Elem, t.Elem) {
			op := tree.Add
			if sum.Minus {
				op = tree.Sub
			}
			add := func(x tree.Value) tree.Value {
				return &tree.Binary{At: at, T: r.types.longLong, Op: op, X: x, Y: r.convert(sum.Count, r.types.longLong, pos)}
			}
			p, first, last = sum.P, add(first), add(last)
			continue
		}
		a, ok := p.(*tree.Address)
		if !ok || a.Decay {
			break
		}
		d, ok := a.Place.(*tree.Dereference)
		if !ok || !tree.Same(d.Type(), t.Elem) {
			break
		}
		p = d.Pointer
	}
	writes := r.convert(r.rvalue(arguments[3]), r.types.int, pos)
	f := r.functionNamed(contract.Valid, &tree.FunctionType{Result: r.types.int, Unspecified: true}, pos)
	f.Instrumented = true
	return &tree.Call{At: at, T: r.types.int, Function: f, Arguments: []tree.Value{p, first, last, writes}, Closing: pos}
}
