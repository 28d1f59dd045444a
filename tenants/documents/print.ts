import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import type { Ctx } from '../context.ts'
import type { PrintedDocument } from './printed-document.ts'
import type { PrintRequest, PrintResult } from './printing/print-process.ts'

/** Relative to the checkout, where every process of the product starts. */
const program = path.resolve('tenants/documents/printing/print-process.ts')
/** Milliseconds. Starting and 500 lines take five seconds, on a busy machine many more. */
const timeout = 60_000
/** The fonts stay loaded for the next document, and the memory is free again soon after the last one. */
const idleMs = 30_000

const busy = () =>
  new AppError('unavailable', 'Too many documents are being printed. Please try again in a moment.', {
    headers: { 'Retry-After': '5' },
  })
const oneAtATime = createSemaphore({ slots: 1, waiting: 100, waitMs: timeout, busy })
let printer: ChildProcess | null = null
let idle: NodeJS.Timeout | undefined
let lastId = 0

/**
 * A PDF of the document. It is printed in a process of its own, without our secrets: neither the fonts nor a broken
 * logo cost this one memory or time. A document that can't be printed with its logo is printed without. Throws
 * unavailable and rate_limited if too much is printed at once.
 */
export function printDocument({ platform, coachId }: Ctx, document: PrintedDocument): Promise<Buffer> {
  return platform.tenantSlots.run(coachId, 'print', () =>
    oneAtATime(() =>
      printOnce(document).catch((error: unknown) => {
        const { sender } = document
        if (!sender.logo) throw error
        platform.log.warn({ err: error, account: coachId }, 'a document was printed without its logo')
        return printOnce({ ...document, sender: { ...sender, logo: null } })
      }),
    ),
  )
}

async function printOnce(document: PrintedDocument): Promise<Buffer> {
  clearTimeout(idle)
  const child = (printer ??= startPrinter())
  try {
    const result = await request(child, { id: ++lastId, document })
    if ('error' in result) throw new Error(`A document was not printed: ${result.error}`)
    idle = setTimeout(stopPrinter, idleMs).unref()
    return Buffer.from(result.content)
  } catch (error) {
    stopPrinter()
    throw error
  }
}

function startPrinter(): ChildProcess {
  const child = fork(program, {
    env: { NODE_ENV: 'production' },
    execArgv: ['--max-old-space-size=400', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // It doesn't keep this process from ending.
  child.unref()
  child.channel?.unref()
  child.once('exit', () => {
    if (printer === child) printer = null
  })
  return child
}

function stopPrinter(): void {
  printer?.kill('SIGKILL')
  printer = null
}

function request(child: ChildProcess, message: PrintRequest): Promise<PrintResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error('A document took too long to print.'))), timeout)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      settle()
    }
    const onMessage = (result: PrintResult) => {
      if (result.id === message.id) end(() => resolve(result))
    }
    const onExit = () => end(() => reject(new Error('The printing process ended.')))
    const onError = (error: Error) => end(() => reject(error))
    child.on('message', onMessage).once('exit', onExit).once('error', onError)
    child.send(message)
  })
}
