import { Readable } from 'node:stream'
import type { Ctx } from '#tenants/context.ts'
import { keepFile, withContent } from '#tenants/files/files.ts'
import { recordingKind } from '../recordings/erase.ts'
import { failRecording, insertRecording } from '../recordings/recordings.ts'

/** Adds a recording without speech to a session. */
export async function addSilentRecording(ctx: Ctx, appointmentId: number): Promise<void> {
  await withContent(ctx, Readable.from([createSilence()]), {}, async (tx, content) => {
    const id = await insertRecording(tx, appointmentId, async (recordId) => {
      const fileId = await keepFile(tx, content, { kind: recordingKind, recordId })
      return { fileId, name: 'Walk by the lake.wav', size: content.size }
    })
    const failure = 'No speech was found in this recording. Delete it and upload another file.'
    await failRecording(tx, { id, appointmentId, jobId: null, attempt: 1 }, failure)
  })
}

/** A WAV file with a second of silence: 8,000 samples of one byte. */
export function createSilence(): Buffer {
  const samples = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(samples, 24)
  header.writeUInt32LE(samples, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  return Buffer.concat([header, Buffer.alloc(samples, 128)])
}
