import { createChildProgram } from '#app/lib/child-program.ts'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '../context.ts'
import type { PrintedDocument } from './printed-document.ts'
import type { PrintResult } from './printing/print-process.ts'

/** Milliseconds. Starting and 500 lines take five seconds, on a busy machine many more. */
const timeout = 60_000

const print = createChildProgram<PrintedDocument, PrintResult>({
  file: 'tenants/documents/printing/print-process.ts',
  memory: 400,
  timeout,
  // The fonts stay loaded for the next document.
  idle: 30_000,
  waitMs: timeout,
  busy: () =>
    new AppError('unavailable', 'Too many documents are being printed. Please try again in a moment.', {
      headers: { 'Retry-After': '5' },
    }),
})

/**
 * A PDF of the document, printed in a process of its own: neither the fonts nor a broken logo cost this one memory or
 * time. A document that can't be printed with its logo is printed without. Throws unavailable and rate_limited if too
 * much is printed at once.
 */
export function printDocument({ platform, coachId }: Ctx, document: PrintedDocument): Promise<Buffer> {
  return platform.tenantSlots.run(coachId, 'print', () =>
    printOnce(document).catch((error: unknown) => {
      const { sender } = document
      if (!sender.logo || error instanceof AppError) throw error
      platform.log.warn({ err: error, account: coachId }, 'a document was printed without its logo')
      return printOnce({ ...document, sender: { ...sender, logo: null } })
    }),
  )
}

async function printOnce(document: PrintedDocument): Promise<Buffer> {
  const result = await print(document)
  if ('error' in result) throw new Error(`A document was not printed: ${result.error}`)
  return Buffer.from(result.content)
}
