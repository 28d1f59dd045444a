import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.dirname(import.meta.dirname)
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

test('every link in the documentation leads to a file', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ]
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(path.join(root, path.dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

/** The requirements of OWASP ASVS 5.0.0. `1.2.1-5`: from 1.2.1 to 1.2.5. */
const levels: Record<string, string> = {
  1: `1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1
    6.2.1-8 6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1
    12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`,
  2: `1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3
    4.2.1 4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3
    7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5
    10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2
    13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3
    17.1.1 17.2.1-4 17.3.1-2`,
}

const requirements = Object.entries(levels).flatMap(([level, ranges]) =>
  ranges.split(/\s+/).flatMap((range) => {
    const [, section, from, to = from] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(range)!
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => ({
      id: `${section}.${Number(from) + index}`,
      level,
    }))
  }),
)

describe('docs/security.md', () => {
  const security = read('docs/security.md')
  const rows = security
    .split('\n')
    .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
    .map((line) => {
      const [, id, level, , answer, proof] = line.split('|').map((cell) => cell.trim())
      return { id: id!, level: level!, answer: answer!, proof: proof! }
    })
  /** A module can be removed, with its tests. */
  const isRemoved = (file: string): boolean =>
    file.startsWith('modules/') && !existsSync(path.join(root, file.split('/').slice(0, 2).join('/')))

  test('answers each requirement of level 1 and 2 once', () => {
    expect(requirements).toHaveLength(253)
    const toKeys = (list: { id: string; level: string }[]) => list.map(({ id, level }) => `${id} L${level}`).sort()
    expect(toKeys(rows)).toEqual(toKeys(requirements))
    for (const { id, answer, proof } of rows) {
      expect([id, answer]).toEqual([id, expect.stringMatching(/^(met|not applicable|not met)$/)])
      expect([id, proof]).toEqual([id, expect.stringMatching(/\w/)])
    }
  })

  test('counts the answers', () => {
    const count = (level: string, answer: string): number =>
      rows.filter((row) => row.level === level && row.answer === answer).length
    for (const level of ['1', '2']) {
      const counts = ['met', 'not applicable', 'not met'].map((answer) => count(level, answer))
      expect(security.replaceAll(/ +/g, ' ')).toContain(`| ${[level, ...counts].join(' | ')} |`)
    }
  })

  test('misses 6.2.1 alone in level 1, and at most five requirements in level 2', () => {
    const missed = rows.filter(({ answer }) => answer === 'not met')
    expect(missed.filter(({ level }) => level === '1').map(({ id }) => id)).toEqual(['6.2.1'])
    expect(missed.filter(({ level }) => level === '2').length).toBeLessThanOrEqual(5)
  })

  test('names files that exist, as the threat model of two pages does', () => {
    const threats = read('docs/threat-model.md')
    expect(threats.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThan(1_150)
    const files = [...`${security}${threats}`.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\.(?:tsx?|mjs|md|json|sql))`/g)].map(
      ([, file]) => file!,
    )
    expect(files.length).toBeGreaterThan(100)
    expect(
      files.filter((file) => file.includes('/') && !isRemoved(file) && !existsSync(path.join(root, file))),
    ).toEqual([])
  })

  test('quotes the titles of tests', () => {
    const titles = [...security.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)]
    expect(titles.length).toBeGreaterThan(50)
    const missing = titles
      .filter(([, file]) => !isRemoved(file!))
      .filter(([, file, title]) => !read(file!).replaceAll("\\'", "'").includes(title!))
    expect(missing.map(([match]) => match)).toEqual([])
  })
})

/** Statements of docs/security.md about the code as a whole. */
describe('in the code', () => {
  const sources = globSync('{app,db,modules,tenants}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/(e2e|bench)\//.test(file),
  )
  const filesWith = (pattern: RegExp): string[] => sources.filter((file) => pattern.test(read(file))).sort()

  test('programs are started in two files alone', () => {
    expect(filesWith(/from 'node:child_process'/)).toEqual(['app/lib/child-program.ts', 'db/embedded/data-dir.ts'])
  })

  test('HTML is set in seven files alone', () => {
    const booking = 'modules/scheduling/components/booking'
    const known = [
      // Markup that React has created on the server: see app/shell/server-markup.test.ts.
      'app/root.tsx',
      'app/shell/shell.tsx',
      'modules/contracts/components/signature-fields.tsx',
      'modules/forms/answering/page-script.tsx',
      'modules/portal/components/passkey-script.tsx',
      `${booking}/page-script.tsx`,
      `${booking}/zone-picker.tsx`,
    ]
    expect(filesWith(/dangerouslySetInnerHTML|insertAdjacentHTML|document\.write/)).toEqual(
      known.filter((file) => existsSync(path.join(root, file))),
    )
  })

  test('browsers store what one file keeps', () => {
    expect(filesWith(/\b(localStorage|sessionStorage|indexedDB|caches\.open)\b/)).toEqual(['app/ui/forms/send-file.ts'])
  })

  test('other servers are called in the files that the table of connections is about', () => {
    const libraries =
      'node:https?|node:tls|node:dns|undici|axios|nodemailer|revai-node-sdk|stripe|google-auth-library|@(googleapis|aws-sdk)/'
    const loads = new RegExp(`^import (?!type )[^']*from '(${libraries})|import[(]'(${libraries})`, 'm')
    const onServer = sources.filter((file) => file.endsWith('.ts') && !/^app\/(ui|shell)\/|\/components\//.test(file))
    const callers = onServer.filter((file) => loads.test(read(file)) || /\bawait fetch\(/.test(read(file)))
    const vendors = [
      'modules/google/services/connect.ts',
      'modules/google/vendor/client.ts',
      'modules/stripe/vendor/client.ts',
      'modules/summaries/revai/client.ts',
      'modules/summaries/summarizer/client.ts',
      'modules/webhooks/services/send.ts',
      'modules/zoom/vendor/client.ts',
      'tenants/domains/resolver.ts',
      'tenants/files/s3-store.ts',
      'tenants/mail.ts',
    ]
    // These call functions of the product that have this name, and listen.
    const own = ['app/server/http/server.ts', 'tenants/api/cursor.ts']
    expect(callers.filter((file) => !own.includes(file)).sort()).toEqual(
      vendors.filter((file) => existsSync(path.join(root, file))),
    )
  })
})
