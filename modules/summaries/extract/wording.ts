// Common words in English speech. In other languages, the words in a large part of all sentences count as common ones.

const fillers = new Set(['um', 'uh', 'uhm', 'erm', 'er', 'ah', 'hm', 'hmm', 'mm', 'mmm', 'mhm', 'äh', 'ähm', 'euh'])

/** Words before a sentence that say nothing. */
const openings = new Set(
  'okay ok so well yeah yes yep right and but oh alright anyway now like because cause no sure great good'.split(' '),
)

/** The text without fillers, repeated words and empty openings. Its words are in the text in the same order. */
export function cleanWords(text: string): string {
  const kept: string[] = []
  let last = ''
  for (const token of text.split(/\s+/)) {
    const word = toWord(token)
    const isLeft = word
      ? fillers.has(word) || word === last || (kept.length === 0 && openings.has(word))
      : kept.length === 0
    if (isLeft) continue
    kept.push(token)
    if (word) last = word
  }
  const end = /[.!?…]["'”’)\]]*$/.exec(text)?.[0] ?? ''
  const joined = trimEnd(kept.join(' '))
  const ended = /[.!?…]["'”’)\]]*$/.test(joined) ? joined : `${joined}${end}`
  return kept.length === 0 ? '' : ended.charAt(0).toUpperCase() + ended.slice(1)
}

/** Without punctuation that joins. A pattern would be tried again from each character of a long row. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\s,;:–-]/.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

const toWord = (token: string): string => token.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** In scripts without spaces, each character counts as a word. */
export const toWords = (text: string): string[] =>
  text
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, ' $& ')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu) ?? []

/** The word without the endings of English. Null for a word that carries no meaning of its own. */
export function toStem(word: string): string | null {
  const base = word.replace(/'\p{L}+$/u, '')
  if (base.length < 3 || common.has(base) || common.has(word)) return null
  return base
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=.{3})(?:ing|ed|es|ly|s|e)$/, '')
    .replace(/(.)\1$/, '$1')
}

const common = new Set(
  `a able about above across actually after again against ago all almost already also always am an and another any
anybody anymore anyone anything anyway are aren't around as ask at away back basically be because been before being
below best better between big bit both but by call called came can can't cannot certainly come comes coming could
couldn't course cuz day definitely did didn't different do does doesn't doing don done don't down during each either
else end enough especially etc even ever every everybody everyone everything exactly example fact far feel few find
fine first five for four from front gave get gets getting give gives go goes going gone gonna good got gotta great guess
had happen happened happens hard has hasn't have haven't having he hello her here hers herself hey hi high him himself
his hope how however hundred i idea if important in instead into is isn't it its itself just keep kind knew know known
knows last later least left less let let's lets like little long look looked looking looks lot lots made mainly make
makes making many matter may maybe me mean means meant might mind mine mm more most much must my myself need needs
never new next nice no nobody none nor not nothing now number obviously of off often oh ok okay on once one ones only
or other others otherwise our ours out over own part people perhaps place please point possible possibly pretty
probably problem put question quite rather real really reason right said same saw say saying says second see seem
seems seen sense set she should shouldn't show side simply since six small so some somebody somehow someone something
sometimes somewhat somewhere sort stuff such suppose sure take taken takes taking talk talked talking tell ten than
thank thanks that that's the their theirs them themselves then there there's therefore these they they're thing things
think thinking third this those though thought thousand three through time times to today together told too took
toward tried try trying turn two twenty type under understand unless until up upon us use used using usually various
very want wanted wants was wasn't way ways we we're we've week welcome well went were weren't what what's whatever when
where whether which while who whole whom whose why will wish with within without won't word work works would wouldn't
wrong yeah year years yep yes yesterday yet you you're your yours yourself yup zero`.split(/\s+/),
)
