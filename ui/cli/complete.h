/* Completion of a command line, asked by the scripts of shells in completions. */
#ifndef AOLAG_CLI_COMPLETE_H
#define AOLAG_CLI_COMPLETE_H

struct cli;

/* Prints what the last of the words after "aolag" may be, as far as it begins so: each on a line,
 * after a tab what it does, if that is known. "/" stands for names of files; a word that ends in "="
 * continues. Nothing is printed for words that are wrong. */
void complete_word(struct cli *cli, const char *const *words, int count);

#endif
