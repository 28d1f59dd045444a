import { matchesContent, matchingLine } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { attendeeNameSql, isSessionVisible, joinSession } from '#modules/scheduling/index.ts'

const title = `a.title || ', ' || ${attendeeNameSql}`
const key = '(select content_key($2::text))'
const words = `(select array_agg(word) from regexp_split_to_table(${key}, '\\s+') word)`
/** The last word may be typed in part: less than three letters of it tell nothing. */
const certain = `(select regexp_replace(${key}, '(^|\\s)\\S{0,2}$', ''))`
/** Its threes of neighbouring words, or its two words; empty for one. */
const groups = `(select coalesce(nullif(word_group_numbers(${certain}, 3), '{}'), word_group_numbers(${certain}, 2)))`
const hasGroup = `get_bit(substring(r.search_groups from 1 + number / 8 for 1), number % 8) = 1`
/**
 * A single word is found among the words. A phrase, which begins with a whole word, is looked for in the text: that takes ten
 * times as long, so most transcripts are first ruled out by their groups of words. `case` keeps this order.
 */
const matchesTranscript = `case
    when exists (select 1 from unnest(${groups}) number where not ${hasGroup}) then false
    when cardinality(${groups}) = 0
      and exists (select 1 from unnest(${words}) word where strpos(r.search_words, word) = 0) then false
    else cardinality(${words}) = 1 or strpos(r.search_text, ${key}) > 0
  end`
/** The number of the first line that contains the term. */
const lineNumber = `(length(left(found.search_text, strpos(found.search_text, ${key})))
  - length(replace(left(found.search_text, strpos(found.search_text, ${key})), chr(10), '')) + 1)`

/** Summaries and transcripts, latest session first. */
export const search: SearchProvider[] = [
  {
    type: 'summary',
    permission: 'summaries:summary:read',
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'summaries.search',
      text: `select a.id, ${title} as title, ${matchingLine('$2', ['r.content'])} as subtitle,
          '/session-summaries/' || a.id as to
        from session_summary r ${joinSession('r')}
        where r.coach_id = $1 and r.deleted_at is null and ${isSessionVisible}
          and ${matchesContent('session_summary', '$2', 'r.id')}
        order by a.start_time desc, a.id desc limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'transcript',
    permission: 'summaries:transcript:read',
    searchesContent: true,
    // Only the lines of the transcripts that are shown are read.
    query: ({ coachId, term, limit }) => ({
      name: 'summaries.search.transcripts',
      text: `select found.id, found.title, found.lines -> (${lineNumber} - 1) ->> 'text' as subtitle,
          '/session-summaries/' || found.id || '?line=' || ${lineNumber} as to
        from (
          select a.id, ${title} as title, a.start_time, r.lines, r.search_text
          from session_transcript r ${joinSession('r')}
          where r.coach_id = $1 and r.deleted_at is null and ${isSessionVisible}
            and ${matchesTranscript}
          order by a.start_time desc, a.id desc limit $3
        ) found
        order by found.start_time desc, found.id desc`,
      values: [coachId, term, limit],
    }),
  },
]
