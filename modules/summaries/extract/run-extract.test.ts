import { expect, test } from 'vitest'
import { parseTranscript } from '../transcripts/parse.ts'
import type { TranscriptLine } from '../types.ts'
import { extractSummary } from './extract.ts'
import { makeExtract, readTranscript } from './run-extract.ts'

const session = { date: '2026-03-10', coachName: 'Ada Coach', clientName: 'Grace Hopper' }
/** A transcript of about eight hours. */
const text = Array.from(
  { length: 8_000 },
  (_, n) => `${n % 2 ? 'Ada Coach' : 'Grace'}: I will send you plan ${n} by Friday, and we talk about step ${n}.`,
).join('\n')

/** Seconds of CPU time of this process alone. */
async function measure(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user / 1e6
}

test('transcripts are read and summarized in another process, with the same result', async () => {
  const { lines } = parseTranscript(text)
  expect((await readTranscript(text)).lines).toEqual(lines)
  const content = await makeExtract(lines, session)
  expect(content).toEqual(extractSummary(lines, session))
  const here = await measure(() => extractSummary(lines, session))
  // This process can only take longer by doing other work too.
  const there: number[] = []
  for (let run = 0; run < 3; run++) there.push(await measure(() => makeExtract(lines, session)))
  expect(Math.min(...there)).toBeLessThan(here / 2)
})

test('a transcript that can’t be read is refused at its field', async () => {
  for (const content of ['', '%PDF-1.7', new Uint8Array(6_000_000)])
    await expect(readTranscript(content, { field: 'text' })).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'text' }],
    })
})

test('what can’t be summarized fails, and the next one does not', async () => {
  await expect(makeExtract([{ n: 1 }] as TranscriptLine[], session)).rejects.toThrow('A summary could not be made.')
  expect((await readTranscript('Ada: Hello.')).lines).toHaveLength(1)
})
