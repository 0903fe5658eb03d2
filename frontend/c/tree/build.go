package tree

// Read is the value of an object.
func Read(o *Object, pos Pos) *Load {
	return &Load{At: At{pos}, Place: &Use{At: At{pos}, Object: o}}
}

// Initialise declares an automatic object with an initial value of its type.
func Initialise(o *Object, value Value, pos Pos) *Declare {
	return &Declare{At: At{pos}, Object: o, Initialized: true, Init: []Initial{{Type: o.Type, Value: value, Repeat: 1}}}
}
