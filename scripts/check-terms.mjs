// Rejects terms and comment patterns that docs/glossary.md replaced, and names what to write instead. Rejects lines of
// more than 120 columns once they are more than a few: the formatter breaks neither comments nor texts.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The text that the model gets: `prompt_version` names it. */
const prompt = /^modules\/summaries\/summarizer\/prompt\.ts$/

/** `in`: comments only, code (identifiers, comments and texts), or docs as well. `except`: files with a meaning of their own. */
const rules = [
  {
    in: 'code',
    pattern: /\b(ClaimLost|forgetJobs|isWanted|lookAgain|nextLook\w*|lastLook)\b/,
    use: '"attempt", "search", "delete" or the condition itself',
  },
  {
    in: 'comments',
    pattern: /^(Who|Whom|Whose|Whoever|What|Whatever|Of|Where|Wherever) [a-z]/,
    use: 'a sentence with a subject',
  },
  { in: 'comments', pattern: /^(Since|Until) when\b|^Those of\b/, use: 'a sentence with a subject' },
  {
    in: 'comments',
    pattern: /\b(answers|answering)\b(?! (the|a) (request|call))/i,
    use: '"returns"',
    // Clients answer forms.
    except: /^modules\/forms\//,
  },
  { in: 'code', pattern: /\b(?:function|const|let) [a-z]\w*Of\b/, use: 'get…, list…, find…, parse…, format… or to…' },
  { in: 'code', pattern: /\bdeeds?\b|[a-z]Deeds?\b/i, use: '"action"' },
  { in: 'code', pattern: /\b(sorry|Sorry)\b|[a-z]Sorry\b/, use: '"failureMessage"' },
  { in: 'docs', pattern: /\bmeanwhile\b/i, use: '"in the meantime", "in another tab" or nothing' },
  { in: 'code', pattern: /\bhouse[A-Z]\w*|\baHouse\b|\bthe house\b/, use: '"platform", "core" or "test app"' },
  { in: 'docs', pattern: /\bthe house\b/i, use: '"the platform" or "the shell"' },
  {
    in: 'code',
    pattern: /\b(toldOf|whyNot|keepTyped|foundTogether|atOnce|aCoach|aClient)\b/,
    use: 'the term in docs/glossary.md',
  },
  { in: 'docs', pattern: /\b(whoever|whomever)\b/i, use: '"anyone who" or the role' },
  {
    in: 'docs',
    pattern: /\b(is|are|was|be|gets?) told\b|\btold (of|about|to|that)\b/i,
    use: '"shown", "reported" or "warned"',
  },
  { in: 'docs', pattern: /\bfor good\b/i, use: '"permanently"' },
  { in: 'docs', pattern: /\bstands? (in|on|at|beside|behind|before|there|here|for itself)\b/i, use: '"is"' },
  { in: 'docs', pattern: /\bgone (for|lately)\b|\blately\b/i, use: '"recently" or "deleted"' },
  { in: 'docs', pattern: /\b(lies|lie|lay) in the trash\b/i, use: '"is in the trash"' },
  // A text of several words still has words.
  {
    in: 'docs',
    pattern: /\b(?<!own )words of\b|\bin words\b|['’]s words\b/,
    use: '"text", "content" or "labels"',
  },
  {
    in: 'docs',
    pattern: /\b(is|are|be|was|were) gone\b/i,
    use: '"is deleted", "has ended" or "is missing"',
  },
  {
    in: 'code',
    pattern: /\bkind\b.*'gone'|return 'gone'|[a-z]Gone\b/,
    use: '"not_found" or "deleted"',
  },
  { in: 'docs', pattern: /\b(is|are|be) said\b/i, use: '"is shown" or "is reported"', except: prompt },
  {
    in: 'code',
    pattern: /\b(const|let) said\b|[({,] ?said\b[,:)} ]/,
    use: '"output", "message" or "text"',
  },
  // A place is where a session is held.
  {
    in: 'code',
    pattern: /\b(const|let) place\b|\b(?!Place)[A-Z]\w+Place\b/,
    use: '"position", "cursor", "location" or "archive"',
    except: /^modules\/scheduling\//,
  },
  { in: 'docs', pattern: /\bas far as\b.*\bwas walked\b|\bin the words of\b/i, use: 'plain English' },
]

const ignored =
  /^(docs\/decisions\/README|docs\/glossary|scripts\/check-terms|package-lock)|\.(png|woff2|csv|html|txt)$|fixtures\/|\/seed\//

export function findTerms(file, content) {
  const isDoc = file.endsWith('.md')
  return content.split('\n').flatMap((line, index) => {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s+(.*)|\s\/\/\s(.*)/.exec(line)
    const commentText = isDoc ? undefined : (comment?.[1] ?? comment?.[2])
    return rules
      .filter((rule) => {
        if (rule.except?.test(file)) return false
        if (rule.in === 'comments') return commentText !== undefined && rule.pattern.test(commentText)
        if (rule.in === 'code') return !isDoc && rule.pattern.test(line)
        return (
          (isDoc || commentText !== undefined || /['"`>]/.test(line)) &&
          rule.pattern.test(isDoc ? line : (commentText ?? line))
        )
      })
      .map(({ pattern, use }) => ({
        file,
        line: index + 1,
        found: pattern.exec(commentText ?? line)?.[0] ?? pattern.exec(line)?.[0],
        use,
      }))
  })
}

export const checkTerms = () =>
  readFiles(/\.(ts|tsx|mjs|cjs|css|md)$/).flatMap(({ file, content }) =>
    ignored.test(file) ? [] : findTerms(file, content),
  )

function readFiles(names) {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => names.test(file) && existsSync(file))
    .map((file) => ({ file, content: readFileSync(file, 'utf8') }))
}

const maxColumns = 120
/** The part of all lines that may be longer: SQL, data of tests, addresses. */
const maxLongLines = 0.005
/** The product itself, without its tests, its demo data and its migrations. */
const product = /^(app|modules|tenants|db)\/(?!.*(\.test\.ts$|\/e2e\/|\/seed|migrations?\.ts$))/

/** Returns the long lines once they are more than half a percent, of all lines or of the product's. */
export function findLongLines(files) {
  const lines = files.flatMap(({ file, content }) =>
    content.split('\n').map((text, index) => ({ file, line: index + 1, text })),
  )
  const long = lines.filter(({ text }) => text.length > maxColumns)
  const areTooMany = [() => true, ({ file }) => product.test(file)].some(
    (isCounted) => long.filter(isCounted).length > lines.filter(isCounted).length * maxLongLines,
  )
  return areTooMany ? long : []
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const terms = checkTerms()
  for (const { file, line, found, use } of terms) console.log(`${file}:${line}: "${found}": write ${use}`)
  const long = findLongLines(readFiles(/\.(ts|tsx|mjs|cjs|css)$/))
  for (const { file, line, text } of long) console.log(`${file}:${line}: ${text.length} of ${maxColumns} columns`)
  if (terms.length || long.length) process.exit(1)
}
