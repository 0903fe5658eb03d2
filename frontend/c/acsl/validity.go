package acsl

// \valid and \valid_read are about places: *p by its pointer p, all of p[a] to p[b] by p + (a .. b) and by &p[a .. b].

// validity reads what stands behind \valid or \valid_read: places that all have to be valid.
func (p *parser) validity(predicate string) expression {
	if p.keeping > 0 {
		panic(missing("%s in what is kept of the function's beginning", predicate))
	}
	p.valid = true
	if p.accept("{") {
		if label := p.next().text; label != "Here" {
			panic(missing("%s at the label %s", predicate, label))
		}
		p.expect("}")
	}
	p.expect("(")
	writes := "1"
	if predicate == `\valid_read` {
		writes = "0"
	}
	out := ""
	for {
		if out != "" {
			out += " && "
		}
		out += p.location(writes)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return truth(out)
}

// location reads one of these places.
func (p *parser) location(writes string) string {
	first := p.at
	end, dots := p.extent()
	if dots < 0 {
		return "__CONTRACT_valid(" + p.predicate().text + ", 0, 0, " + writes + ")"
	}
	open := dots
	for depth := 0; depth <= 0; {
		open--
		switch p.words[open].text {
		case ")", "]":
			depth--
		case "(", "[":
			depth++
		}
	}
	pointer := *p
	switch {
	case p.words[open].text == "(" && open > first && p.words[open-1].text == "+":
		pointer.words, pointer.at = p.words[:open-1], first
	case p.words[open].text == "[" && p.words[first].text == "&":
		pointer.words, pointer.at = p.words[:open], first+1
	default:
		panic(missing("these places"))
	}
	base := pointer.predicate()
	if !pointer.ended() {
		panic(missing("these places"))
	}
	p.at = open + 1
	from := p.operand(p.predicate())
	p.expect("..")
	to := p.operand(p.predicate())
	p.at++ // the parenthesis or bracket
	if p.at != end {
		panic(missing("these places"))
	}
	return "__CONTRACT_valid(" + base.text + ", " + from + ", " + to + ", " + writes + ")"
}

// extent is where a place ends, and where in it the two dots of a range are; -1 if there is none.
func (p *parser) extent() (end, dots int) {
	depth, dots := 0, -1
	for end = p.at; end < len(p.words); end++ {
		switch p.words[end].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return end, dots
			}
		case ",":
			if depth == 0 {
				return end, dots
			}
		case "..":
			if dots >= 0 {
				panic(missing("a range of ranges"))
			}
			dots = end
		}
	}
	panic(missing("the end where %q is expected", ")"))
}
