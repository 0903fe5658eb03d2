// Package usage makes of the tables of options what a user sees of them: flags of urfave/cli, pages of help of 80 columns, a manual
// page, and what a shell completes.
package usage
