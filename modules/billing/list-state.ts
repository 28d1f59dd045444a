import { searchLine } from '#app/lib/term.ts'
import type { PurchaseStatus } from './forms.ts'
import { statusChoices } from './words.ts'

/** Which purchases are listed: all of it stands in the address. */
export type ListState = {
  q: string
  /** '2026-03', of the coach's own calendar. */
  month: string | null
  status: PurchaseStatus | null
  page: number
}

/** Reads an address. What isn't known filters nothing. */
export function listState(params: URLSearchParams): ListState {
  const month = params.get('month') ?? ''
  const page = Number(params.get('page'))
  return {
    q: searchLine(params.get('q') ?? ''),
    month: /^(19\d\d|20\d\d|21\d\d)-(0[1-9]|1[0-2])$/.test(month) ? month : null,
    status: statusChoices.find(({ value }) => value === params.get('status'))?.value ?? null,
    page: Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : 1,
  }
}

/** The address of the list in this state; `more` opens a dialog. */
export function listAddress(state: Partial<ListState>, changes: Partial<ListState> = {}, more: Record<string, string> = {}): string {
  const { q, month, status, page = 1 } = { ...state, ...changes }
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  if (month) params.set('month', month)
  if (status) params.set('status', status)
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  const query = params.toString()
  return query ? `/purchases?${query}` : '/purchases'
}

/** An address of the house without the dialog that is open there. */
export function withoutDialog(address: string): string {
  const [path = '/', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  for (const name of ['dialog', 'client', 'product', 'purchase', 'who']) params.delete(name)
  return params.size ? `${path}?${params}` : path
}

/** The address where one is, with another dialog over it. */
export function withDialog(address: string, dialog: string, more: Record<string, string>): string {
  const [path = '/', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ ...more, dialog })) params.set(name, value)
  return `${path}?${params}`
}
