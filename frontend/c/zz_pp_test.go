package c

import ("context";"testing";"os";"fmt")

func TestZZPP(t *testing.T) {
	for _, f := range []string{"../../examples/c/masked-value-unsafe.c"} {
		b, _ := os.ReadFile(f)
		out, err := Preprocess(context.Background(), f, b, Options{})
		fmt.Println(string(out), err)
	}
	out, err := Preprocess(context.Background(), "x.c", []byte("#include <assert.h>\n#include \"smack.h\"\n#pragma pack(push,1)\nstruct s { char c; int i; };\n#pragma pack(pop)\n#define F(x) #x \"\\n\"\n# 5 \"f.c\"\nint main(){ assert(F(a)); int a=- -1; X: }"), Options{})
		fmt.Println(string(out[len(out)-500:]), err)
}
