import { plainText } from '#app/lib/markup.ts'
import { clientFields, type ClientField, type ClientValues } from '../forms.ts'
import { formattingOf, formattingHeader, isWords } from './formatting.ts'
import { fieldNames } from './headers.ts'
import { byteOrderMark, csvLines } from './write.ts'

/** `totalSpent` in cents; `createdAt` ISO 8601. Both are told, and mean nothing to an import. */
export type ExportedClient = ClientValues & { totalSpent: number; createdAt: string }

const headers = [...clientFields.map((field) => fieldNames[field]), 'Total spent', 'Added', formattingHeader]

/**
 * A CSV file of clients, piece by piece, as it is read. Excel opens it without harm, words stand there without their
 * formatting, and an import of it makes the same clients again, field for field.
 */
export async function* exportCsv(batches: AsyncIterable<ExportedClient[]>): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([headers])
  for await (const clients of batches) {
    if (clients.length) yield csvLines(clients.map(cellsOf))
  }
}

function cellsOf(client: ExportedClient): string[] {
  const fields = clientFields.map((field) => cellOf(field, String(client[field] ?? '')))
  return [...fields, dollars(client.totalSpent), client.createdAt.slice(0, 10), formattingOf(client)]
}

function cellOf(field: ClientField, stored: string): string {
  return isWords(field) ? plainText(stored) : stored
}

function dollars(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
