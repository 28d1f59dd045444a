import { renderToBuffer } from '@react-pdf/renderer'
import { serveRequests } from '#app/lib/child-program.ts'
import type { PrintedDocument } from '../printed-document.ts'
import { layOut } from './layout.ts'

// The program of the process that `documents/print.ts` starts: prints one document after the other.

export type PrintResult = { content: Uint8Array } | { error: string }

serveRequests(async (document: PrintedDocument): Promise<PrintResult> => {
  try {
    return { content: await renderToBuffer(await layOut(document)) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
})
