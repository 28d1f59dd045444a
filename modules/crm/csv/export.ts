import { plainText } from '#app/lib/markup.ts'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import type { ClientValues } from '../records.ts'
import { formattingHeader, isRichText, serializeFormatting } from './formatting.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'

/** `totalSpent` in cents, `createdAt` in ISO 8601; an import ignores both. */
export type ExportedClient = ClientValues & { totalSpent: number; createdAt: string }

const headers = [...clientFieldNames.map((field) => clientFields[field].csv), 'Total spent', 'Added', formattingHeader]

/** Streams a CSV file of clients that is safe to open in Excel. Importing it creates identical clients. */
export async function* exportCsv(batches: AsyncIterable<ExportedClient[]>): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([headers])
  for await (const clients of batches) {
    if (clients.length) yield formatCsv(clients.map(toCells))
  }
}

function toCells(client: ExportedClient): string[] {
  const cells = clientFieldNames.map((field) => toCell(field, client[field]))
  return [...cells, formatDollars(client.totalSpent), client.createdAt.slice(0, 10), serializeFormatting(client)]
}

function toCell(field: ClientField, value: ClientValues[ClientField]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return isRichText(field) ? plainText(text) : text
}

function formatDollars(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
