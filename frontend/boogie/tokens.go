package boogie

import "hornbeam/frontend/boogie/ast"

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokName
	tokInt
	tokReal
	tokBitVector
	tokFloat
	tokString

	tokIff          // <==>
	tokImplies      // ==>
	tokExplies      // <==
	tokAnd          // &&
	tokOr           // ||
	tokEq           // ==
	tokNeq          // !=
	tokLess         // <
	tokGreater      // >
	tokLessEq       // <=
	tokGreaterEq    // >=
	tokPartialOrder // <:
	tokConcat       // ++
	tokPlus         // +
	tokMinus        // -
	tokStar         // *
	tokSlash        // /
	tokPercent      // %
	tokPower        // **
	tokNot          // !
	tokArrow        // ->
	tokBind         // ::
	tokAssign       // :=
	tokColon        // :
	tokSemicolon    // ;
	tokComma        // ,
	tokOpen         // (
	tokClose        // )
	tokOpenBracket  // [
	tokCloseBracket // ]
	tokOpenBrace    // {
	tokCloseBrace   // }
	tokOpenCode     // |{
	tokCloseCode    // }|
	tokBar          // |
	tokIs           // =

	tokVar
	tokWhere
	tokTypeInt
	tokTypeReal
	tokTypeBool
	tokConst
	tokUnique
	tokFunction
	tokReturns
	tokAxiom
	tokType
	tokProcedure
	tokImplementation
	tokRequires
	tokEnsures
	tokFree
	tokModifies
	tokInvariant
	tokGoto
	tokReturn
	tokIf
	tokThen
	tokElse
	tokWhile
	tokBreak
	tokAssert
	tokAssume
	tokHavoc
	tokCall
	tokDivWord
	tokModWord
	tokFalse
	tokTrue
	tokOld
	tokForall
	tokExists
	tokLambda
	tokenKinds
)

// tokenNames says how tokens are written, or what they are.
var tokenNames = [tokenKinds]string{
	tokEOF: "end of file", tokName: "name", tokInt: "number", tokReal: "number", tokBitVector: "bit-vector",
	tokFloat: "floating-point number", tokString: "string",
	tokIff: "<==>", tokImplies: "==>", tokExplies: "<==", tokAnd: "&&", tokOr: "||", tokEq: "==", tokNeq: "!=", tokLess: "<",
	tokGreater: ">", tokLessEq: "<=", tokGreaterEq: ">=", tokPartialOrder: "<:", tokConcat: "++", tokPlus: "+", tokMinus: "-",
	tokStar: "*", tokSlash: "/", tokPercent: "%", tokPower: "**", tokNot: "!", tokArrow: "->", tokBind: "::", tokAssign: ":=",
	tokColon: ":", tokSemicolon: ";", tokComma: ",", tokOpen: "(", tokClose: ")", tokOpenBracket: "[", tokCloseBracket: "]",
	tokOpenBrace: "{", tokCloseBrace: "}", tokOpenCode: "|{", tokCloseCode: "}|", tokBar: "|", tokIs: "=",
	tokVar: "var", tokWhere: "where", tokTypeInt: "int", tokTypeReal: "real", tokTypeBool: "bool", tokConst: "const",
	tokUnique: "unique", tokFunction: "function", tokReturns: "returns", tokAxiom: "axiom", tokType: "type",
	tokProcedure: "procedure", tokImplementation: "implementation", tokRequires: "requires", tokEnsures: "ensures",
	tokFree: "free", tokModifies: "modifies", tokInvariant: "invariant", tokGoto: "goto", tokReturn: "return", tokIf: "if",
	tokThen: "then", tokElse: "else", tokWhile: "while", tokBreak: "break", tokAssert: "assert", tokAssume: "assume",
	tokHavoc: "havoc", tokCall: "call", tokDivWord: "div", tokModWord: "mod", tokFalse: "false", tokTrue: "true", tokOld: "old",
	tokForall: "forall", tokExists: "exists", tokLambda: "lambda",
}

// keywords are the words that are never names. The tree's printer knows the same ones.
var keywords = func() map[string]tokenKind {
	m := map[string]tokenKind{}
	for k := tokVar; k < tokenKinds; k++ {
		if !ast.IsKeyword(tokenNames[k]) {
			panic("the printer does not quote the keyword " + tokenNames[k])
		}
		m[tokenNames[k]] = k
	}
	return m
}()

// describe says what a kind of token is, for messages about what was expected.
func (k tokenKind) describe() string {
	if k <= tokString {
		if k == tokEOF {
			return tokenNames[k]
		}
		return "a " + tokenNames[k]
	}
	return "'" + tokenNames[k] + "'"
}

// token is a token of the source; its text is in the source.
type token struct {
	kind       tokenKind
	file       uint16 // index of the file's name
	start, end int32  // bounds of the text
	line       int32
	column     int32
}
