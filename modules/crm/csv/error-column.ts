/** The first column of an error file, which says what was wrong. A file that comes back has it too; it means nothing. */
export const problemColumn = 'Problem'
