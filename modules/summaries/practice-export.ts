import { authorize, type Ctx } from '#tenants/context.ts'
import type { ModuleExport } from '../core/manifest.ts'
import { formatClockTime } from './times.ts'
import type { TranscriptLine } from './types.ts'

export const practiceExport: ModuleExport = {
  tables: {
    recording_search: { leftOut: 'a search in progress' },
    recording_candidate: { leftOut: 'a search in progress' },
  },
  files: listTranscripts,
  fileNames: `select file_id as id, file_name as name from session_recording
    where coach_id = $1 and file_id = any($2::bigint[])`,
}

/** Each transcript as text, oldest first. */
async function* listTranscripts(ctx: Ctx): AsyncGenerator<{ name: string; content: Buffer }> {
  authorize(ctx, 'summaries:transcript:read')
  for (let after = 0; ; ) {
    const [transcript]: Transcript[] = await ctx.query<Transcript>({
      name: 'summaries.export-transcripts',
      text: `select t.id, t.lines, a.title, to_char(local_time(a.start_time, $3), 'YYYY-MM-DD') as date
        from session_transcript t join appointment a on a.coach_id = $1 and a.id = t.appointment_id
        where t.coach_id = $1 and t.id > $2 order by t.id limit 1`,
      values: [ctx.coachId, after, ctx.account.timezone],
    })
    if (!transcript) return
    const { id, lines, title, date } = transcript
    after = id
    yield { name: `Transcript ${date} ${title}.txt`, content: Buffer.from((lines ?? []).map(toText).join('')) }
  }
}

type Transcript = { id: number; lines: TranscriptLine[] | null; title: string; date: string }

function toText({ speaker, startMs, text }: TranscriptLine): string {
  const time = startMs === null ? '' : `[${formatClockTime(startMs)}] `
  return `${time}${speaker === null ? '' : `${speaker}: `}${text}\n`
}
