import { formatTimeRange, type TimeFormat } from '#app/lib/clock.ts'
import { plainText } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { FieldLabel } from './manifest.ts'

/**
 * A value of a record's column, as JSON has it, as a coach reads it; null for none. `findTitle`: the title of a record that it
 * refers to.
 */
export function formatField(
  { account }: Pick<Ctx, 'account'>,
  value: unknown,
  label: FieldLabel,
  findTitle: (kind: string, id: number) => string | undefined,
): string | null {
  if (value === null || value === '') return null
  if (typeof label === 'object' && 'valueLabels' in label) return label.valueLabels[String(value)] ?? String(value)
  if (typeof label === 'object' && 'of' in label)
    return findTitle(label.of, Number(value)) ?? `${label.label} ${String(value)}`
  const type = typeof label === 'object' ? label.as : null
  if (type === 'cents') return formatMoney(Number(value), account.currency)
  if (type === 'dollars') return formatMoney(Number(Number(value).toFixed(2).replace('.', '')), account.currency)
  if (type === 'time') return formatDateTime(String(value), account)
  if (type === 'times') return formatTimes(String(value), account.timeFormat)
  if (type === 'markup') return plainText(String(value))
  if (Array.isArray(value)) return value.map(formatItem).join(', ') || null
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

export const getLabelText = (label: FieldLabel): string => (typeof label === 'string' ? label : label.label)

/** '09:00–12:00' in the coach's format. */
const formatTimes = (text: string, format: TimeFormat): string =>
  text.replaceAll(/(\d\d:\d\d)–(\d\d:\d\d)/g, (_, start: string, end: string) => formatTimeRange(start, end, format))

/** An item of a list: its label, or all of its values. */
function formatItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  return 'label' in item ? String(item.label) : Object.values(item).map(String).join(': ')
}
