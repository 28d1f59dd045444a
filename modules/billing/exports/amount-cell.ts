import { centsToDecimal } from '#app/lib/money.ts'
import type { Cell } from '#modules/core/csv/write.ts'

/** Cents as a number of the file, such as -12.50. */
export const toAmountCell = (cents: number): Cell => ({ decimal: centsToDecimal(cents) })
