import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import type { FieldLabel, RecordKind } from './manifest.ts'

/** Throws not_found for an unknown kind, and for one of a module that is switched off. */
export function getRecordKind({ extensions }: Pick<Ctx, 'extensions'>, name: string): RecordKind {
  const kind = extensions.recordKinds.find((own) => own.kind === name)
  if (!kind) throw new AppError('not_found', 'Record not found')
  return kind
}

export const recordNotFound = ({ label }: RecordKind): AppError => new AppError('not_found', `${label} not found`)

/** How to show the values of a field; `field` as the API calls it. */
export function getFieldLabel(kind: RecordKind, field: string): FieldLabel {
  return Object.entries(kind.fields).find(([column]) => camelCase(column) === field)?.[1] ?? field
}

export const camelCase = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
