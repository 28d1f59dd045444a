import type pg from 'pg'
import { conversations } from '../seed/conversations.ts'

export const transcriptCount = 1000
/** An hour of speech. */
const wordsEach = 9000
const wordsPerLine = 15

/** Fills the practice of one coach with an hour's transcripts, all of them different. In one transaction, once. */
export async function addTranscripts(owner: pg.Client, coachId: number): Promise<void> {
  const { speak } = createSpeaker()
  const sessions = await owner.query<{ id: number }>(
    `insert into appointment (coach_id, client_id, title, start_time, end_time, timezone, status, created_at, updated_at)
      select $1, (select id from client where coach_id = $1 limit 1), 'Session ' || n, start, start + interval '1 hour',
        'Europe/Berlin', 'completed', start, start
      from generate_series(1, $2::int) as n, lateral (select now() - n * interval '1 day' as start) as dates
      returning id`,
    [coachId, transcriptCount],
  )
  for (const { id } of sessions.rows) {
    const lines = Array.from({ length: wordsEach / wordsPerLine }, (_, index) => ({
      n: index + 1,
      speaker: index % 2 ? 'Ada' : 'Grace',
      startMs: index * 6000,
      endMs: index * 6000 + 5000,
      text: speak(wordsPerLine),
    }))
    await owner.query(
      `insert into session_transcript (coach_id, appointment_id, source, lines, line_count, search_text, search_words,
          created_at, updated_at)
        select $1, $2, 'upload', $3, $4, key, (select string_agg(distinct word, ' ')
          from regexp_split_to_table(key, '\\s+') word), now(), now()
        from content_key($5) as key`,
      [coachId, id, JSON.stringify(lines), lines.length, lines.map(({ text }) => text).join('\n')],
    )
  }
}

/** Terms with many, few and no results, of one word and of several, rare and frequent ones. */
const terms = {
  'a frequent word': 'week',
  'a rare word': rareWord(4321),
  'no word': 'zzzzqq',
  'a frequent phrase': 'what would you',
  'a rare phrase': `the ${rareWord(77)}`,
  'no phrase': 'the pace is decided',
  'two words that never meet': 'resignation pulse',
}

/** Sends a request over and over. */
type Run = (workload: { name: string; status: number; next: () => Buffer }) => Promise<{
  seconds: number
  responses: number
  cpu: number
}>

/** The milliseconds and the CPU milliseconds of a search, for each term. */
export async function measureSearch(run: Run, cookie: string): Promise<{ term: string; ms: number; cpu: number }[]> {
  const results: { term: string; ms: number; cpu: number }[] = []
  for (const [term, words] of Object.entries(terms)) {
    const request = Buffer.from(
      `GET /api/search?in=content&q=${encodeURIComponent(words)} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n` +
        'Accept: */*\r\n\r\n',
    )
    const { seconds, responses, cpu } = await run({ name: `Search for ${term}`, status: 200, next: () => request })
    results.push({ term, ms: (seconds * 1000) / responses, cpu })
  }
  return results
}

/** Follows the demo conversations word by word; one word in ten is another one, as in a vocabulary of 6,000. */
function createSpeaker(): { speak(words: number): string } {
  const spoken = Object.values(conversations)
    .flat(2)
    .flatMap(([, words]) => words.split(' '))
  const followers = Map.groupBy(spoken.keys(), (index) => spoken[index - 1] ?? '')
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  let word = spoken[0]!
  return {
    speak: (words) =>
      Array.from({ length: words }, () => {
        const next = followers.get(word) ?? [0]
        word = spoken[next[Math.floor(random() * next.length)]!]!
        return random() < 0.1 ? rareWord(Math.floor(6000 ** random())) : word
      }).join(' '),
  }
}

function rareWord(index: number): string {
  const syllables = [
    'ba',
    'ne',
    'ti',
    'lo',
    'ra',
    'mu',
    'ke',
    'si',
    'do',
    'pa',
    'ven',
    'tor',
    'cal',
    'min',
    'res',
    'gal',
  ]
  return [index >> 12, (index >> 8) & 15, (index >> 4) & 15, index & 15].map((part) => syllables[part]!).join('')
}
