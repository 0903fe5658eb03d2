// Package machine is the dialect of Boogie trees in which C programs are written before it is decided how machine integers
// are modelled: the names of its types and operations, and how to make and recognise them.
//
// A tree in the dialect has names only, without what boogie.Check fills in, and declares neither the types nor the
// operations. Package lower lowers it to plain Boogie, with integers or bit-vectors in place of each type.
//
// The types are type names: i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 for integers, ref for addresses, float for floating
// numbers of which nothing is known. Others are written as integers of i32, i64 and i128, by their place in the order of all numbers
// of their format: see Format. C's _Bool is u8 with the values 0 and 1. The type bool is that of conditions; of variables only temporary ones have
// it. Variables may also be int. Maps go from int or ref to any of these, or are maps of maps from int.
//
// The operations are functions named $OPERATION.TYPE:
//
//	$add $sub $mul $div $rem $and $or $xor   (T, T) -> T     as in C, wrapping; $div and $rem truncate
//	$shl $shr                                (T, T) -> T     the count is within 0 and the width - 1
//	$neg $not                                (T) -> T        -x and ~x
//	$lt $le $gt $ge                          (T, T) -> bool
//	$convert.FROM.TO                         (FROM) -> TO    modulo the width of TO
//	$index.T                                 (T) -> int      the value as a mathematical integer
//	$integer.T                               (ref) -> T      an address, or a mathematical integer, modulo the width of T
//	$address.T                               (T) -> ref      the other way round: the value modulo the width, as an address
//	$fits.OPERATION.T                        as OPERATION -> bool   whether the result, not wrapped, is within T
//
//	$fadd $fsub $fmul $fdiv                  (F, F) -> F     on floating numbers, rounded to the nearest one
//	$fmod $fremainder                        (F, F) -> F     which are exact
//	$fsqrt $ftruncate $ffloor $fceiling $fround $fnearest    (F) -> F
//	$fconvert.F.G                            (F) -> G        in another format, rounded
//	$ffrom.T.F                               (T) -> F        an integer as a floating number, rounded
//	$fto.F.T                                 (F) -> T        truncated; what does not fit is any value
//
// A result that is no number is any of the words that stand for none.
//
// The fits operations are of add, sub, mul, div, shl and neg. Equality, conditions and if-then-else are Boogie's own. Over
// int and ref, which are the same numbers, so are + - * div mod < <= > and >=.
//
// A division's divisor is 0 only where the result does not matter, and likewise a shift's count out of range: the tree
// says `if y == 0 then unknown else $div.i32(x, y)`.
//
// A literal is an IntLiteral within the range of its type; unlike in a source text its value may be negative. Its type is that
// of its context: the operation's, the other side's of an equality, the variable's that is assigned, the map's range, the
// parameter's. Where both sides of an equality have no type of their own, one is a Coercion to its type.
//
// An assigned or havocked variable of an integer type is within the type's range; so is what a map holds at any index.
package machine
