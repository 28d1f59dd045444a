// Rejects terms and comment patterns that docs/glossary.md replaced, and names what to write instead.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** `in`: comments only, code (identifiers, comments and texts), or docs as well. */
const rules = [
  {
    in: 'comments',
    pattern: /^(Who|Whom|Whose|Whoever|What|Whatever|Of|Where|Wherever) [a-z]/,
    use: 'a sentence with a subject',
  },
  { in: 'comments', pattern: /\b(answers|answering)\b(?! (the|a) (request|call))/i, use: '"returns"' },
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
  { in: 'docs', pattern: /\bas far as\b.*\bwas walked\b|\bin the words of\b/i, use: 'plain English' },
]

const ignored =
  /^(docs\/decisions\/README|docs\/glossary|scripts\/check-terms|package-lock|CHANGELOG)|\.(png|woff2|csv|html|txt)$|fixtures\//

export function findTerms(file, content) {
  const isDoc = file.endsWith('.md')
  return content.split('\n').flatMap((line, index) => {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s+(.*)|\s\/\/\s(.*)/.exec(line)
    const commentText = isDoc ? undefined : (comment?.[1] ?? comment?.[2])
    return rules
      .filter((rule) => {
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

export function checkTerms() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|cjs|css|md)$/.test(file) && !ignored.test(file))
  return files.flatMap((file) => {
    try {
      return findTerms(file, readFileSync(file, 'utf8'))
    } catch {
      return []
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = checkTerms()
  for (const { file, line, found: term, use } of found) console.log(`${file}:${line}: "${term}": write ${use}`)
  if (found.length) process.exit(1)
}
