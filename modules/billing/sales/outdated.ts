import type { SaleSource } from './fields.ts'

/** Days in which what a visitor chose can be paid: later payments could arrive after it is forgotten. */
const payableDays = 14

/** Whether a visitor left it unpaid for too long. A payment link works until it is withdrawn. */
export const isOutdated = (sale: { source: SaleSource; createdAt: string | Date }, now: Date): boolean =>
  sale.source !== 'link' && now.getTime() - new Date(sale.createdAt).getTime() > payableDays * 86_400_000

export const outdatedMessage = `This is older than ${payableDays} days and can’t be paid any more. Please choose it again.`
