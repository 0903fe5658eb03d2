package c

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// headersFolder is the name under which the parser finds the embedded headers.
const headersFolder = "<headers>"

// expansionLimit bounds the work of the preprocessor: macros can expand to exponentially much.
const expansionLimit = 50_000_000

// configuration sets the parser up without asking the host for anything.
func configuration(model tree.Model, files *fileSystem, dirs []string, pragma func([]cc.Token)) (*cc.Config, error) {
	arch := "amd64"
	if model.PointerBytes == 4 {
		arch = "386"
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, fmt.Errorf("setting up the parser for %s: %w", model.Name, err)
	}
	return &cc.Config{
		ABI:             abi,
		FS:              files,
		FSOnly:          true,
		IncludePaths:    append(append([]string{"@"}, dirs...), headersFolder),
		SysIncludePaths: append(append([]string{}, dirs...), headersFolder),
		UnsignedEnums:   true,
		ExpansionLimit:  expansionLimit,
		PragmaHandler:   func(tokens []cc.Token) error { pragma(tokens); return nil },
		HasBuiltin:      func(string) bool { return false },
	}, nil
}

// predefined are the macros that gcc predefines and programs ask for.
func predefined(types *types, defines []string) string {
	var b strings.Builder
	define := func(name, value string) { fmt.Fprintf(&b, "#define %s %s\n", name, value) }
	define("__STDC__", "1")
	define("__g(...)", "__attribute__((__VA_ARGS__))") // see package lexical
	define("__STDC_VERSION__", "201112L")
	define("__STDC_HOSTED__", "1")
	define("__GNUC__", "4")
	define("__GNUC_MINOR__", "8")
	define("__GNUC_PATCHLEVEL__", "0")
	define("__VERSION__", `"hornbeam"`)
	define("__linux__", "1")
	define("__linux", "1")
	define("__unix__", "1")
	define("__ELF__", "1")
	define("__CHAR_BIT__", "8")
	define("__ORDER_LITTLE_ENDIAN__", "1234")
	define("__ORDER_BIG_ENDIAN__", "4321")
	define("__BYTE_ORDER__", "1234")
	define("__SIZEOF_SHORT__", "2")
	define("__SIZEOF_INT__", "4")
	define("__SIZEOF_LONG_LONG__", "8")
	define("__SIZEOF_FLOAT__", "4")
	define("__SIZEOF_DOUBLE__", "8")
	define("__SCHAR_MAX__", "0x7f")
	define("__SHRT_MAX__", "0x7fff")
	define("__INT_MAX__", "0x7fffffff")
	define("__LONG_LONG_MAX__", "0x7fffffffffffffffLL")
	define("__INT8_TYPE__", "signed char")
	define("__INT16_TYPE__", "short int")
	define("__INT32_TYPE__", "int")
	define("__UINT8_TYPE__", "unsigned char")
	define("__UINT16_TYPE__", "short unsigned int")
	define("__UINT32_TYPE__", "unsigned int")
	define("__CHAR16_TYPE__", "short unsigned int")
	define("__CHAR32_TYPE__", "unsigned int")
	define("__SIZE_TYPE__", types.size.Name)
	define("__PTRDIFF_TYPE__", types.difference.Name)
	define("__INTPTR_TYPE__", types.difference.Name)
	define("__UINTPTR_TYPE__", types.size.Name)
	define("__WCHAR_TYPE__", types.wide.Name)
	if types.model.PointerBytes == 4 {
		define("__i386__", "1")
		define("__i386", "1")
		define("__LONG_MAX__", "0x7fffffffL")
		define("__SIZEOF_LONG__", "4")
		define("__SIZEOF_POINTER__", "4")
		define("__SIZEOF_SIZE_T__", "4")
		define("__INT64_TYPE__", "long long int")
		define("__UINT64_TYPE__", "long long unsigned int")
	} else {
		define("__x86_64__", "1")
		define("__x86_64", "1")
		define("__LP64__", "1")
		define("_LP64", "1")
		define("__LONG_MAX__", "0x7fffffffffffffffL")
		define("__SIZEOF_LONG__", "8")
		define("__SIZEOF_POINTER__", "8")
		define("__SIZEOF_SIZE_T__", "8")
		define("__SIZEOF_INT128__", "16")
		define("__INT64_TYPE__", "long int")
		define("__UINT64_TYPE__", "long unsigned int")
	}
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		define(name, value)
	}
	return b.String()
}

// prelude is parsed before every program. The macros turn what takes a type as an argument, which is no call of a function,
// into calls that are recognised by name.
var prelude = `
#define __extension__
#define typeof_unqual __typeof__
#define __typeof_unqual__ __typeof__
#define _Static_assert(...) _Static_assert __hornbeam_assertion(__VA_ARGS__, "", )
#define __hornbeam_assertion(condition, message, ...) (condition, message)
#define __builtin_va_arg(list, type) (*(type *)__hornbeam_va_arg(list, sizeof(type)))
#define __builtin_offsetof(type, member) ((__SIZE_TYPE__)&(((type *)0)->member))
#define __builtin_types_compatible_p(a, b) __hornbeam_compatible((__typeof__(a) *)0, (__typeof__(b) *)0)
int __predefined_declarator;
typedef void *__builtin_va_list;
typedef __builtin_va_list __gnuc_va_list;
`
