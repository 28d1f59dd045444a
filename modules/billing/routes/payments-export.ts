import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportInvoices } from '../exports/invoices.ts'
import { exportLedger } from '../exports/ledger.ts'
import { exportTaxes, isTooLong } from '../exports/taxes.ts'
import { paymentsExportUrl } from '../list-state.ts'
import { getPeriod } from '../statements/query.ts'

const files = {
  taxes: { name: 'Taxes', write: exportTaxes },
  ledger: { name: 'Ledger', write: exportLedger },
  invoices: { name: 'Invoices', write: exportInvoices },
}

/** Streams a CSV file for the accountant: taxes by month, the ledger, or the invoices of a period. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { file, ...dates } = paymentsExportUrl.parse(request.url)
  const period = getPeriod(ctx, dates)
  if (isTooLong(period)) throw new AppError('validation_failed', 'Choose at most five years.', { field: 'from' })
  const { name, write } = files[file]
  return csvResponse(ctx, `${name} ${period.from} ${period.to}.csv`, write(ctx, period))
}
