import { renderToBuffer } from '@react-pdf/renderer'
import type { PrintedDocument } from '../printed-document.ts'
import { layOut } from './layout.ts'

// The program of the process that `documents/print.ts` starts: prints one document after the other.

export type PrintRequest = { id: number; document: PrintedDocument }
export type PrintResult = { id: number; content: Uint8Array } | { id: number; error: string }

const print = async ({ id, document }: PrintRequest): Promise<PrintResult> => {
  try {
    return { id, content: await renderToBuffer(await layOut(document)) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (request: PrintRequest) => void print(request).then((result) => process.send?.(result)))
process.on('disconnect', () => process.exit(0))
