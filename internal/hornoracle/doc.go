// Package hornoracle decides small Horn systems by trial, for tests that need models and refutations without an engine:
// it derives facts bottom-up over a few values per sort, and draws random systems whose variables mostly range over such
// values.
package hornoracle
