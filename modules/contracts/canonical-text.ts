import { createHash } from 'node:crypto'

/**
 * The text that is signed: title, empty line, body. In one form of Unicode, with LF between lines and without spaces at
 * their ends, so that another program computes the same hash from what is on paper or screen.
 */
export const toCanonicalText = (title: string, body: string): string =>
  `${title}\n\n${body}`
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()

/** The SHA-256 of the text in UTF-8. */
export const hashText = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
