import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientStatuses } from '../fields.ts'
import { NewClient } from '../forms.ts'
import type { ClientValues } from '../records.ts'
import { formatErrorFile } from '../import/error-file.ts'
import { exportCsv, type ExportedClient } from './export.ts'
import { guessMapping } from '../import/column-mapping.ts'
import { createPlanner, type PlannedRow } from '../import/plan.ts'
import { readCsv } from '../import/read-csv.ts'

async function written(clients: ExportedClient[], batch = 3): Promise<string> {
  async function* batches(): AsyncGenerator<ExportedClient[]> {
    for (let index = 0; index < clients.length; index += batch) yield clients.slice(index, index + batch)
  }
  let text = ''
  for await (const piece of exportCsv(batches())) text += piece
  return text
}

async function planned(text: string): Promise<PlannedRow[]> {
  const { headers, rows } = await readCsv(Buffer.from(text))
  return rows.map(createPlanner({ columnCount: headers.length, ...guessMapping(headers, rows) }))
}

const one: ExportedClient = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  phone: '+44 20 5550',
  location: null,
  profession: null,
  timezone: 'Europe/London',
  program: null,
  status: 'active',
  progress: 40,
  tags: ['VIP', 'in person'],
  goals: '=HYPERLINK("http://evil.example","click")',
  notes: 'a "b"; c\n- d',
  futureGoals: null,
  frustrations: null,
  fears: null,
  failures: null,
  totalSpent: 15_005,
  createdAt: '2026-03-01T09:00:00.000Z',
}

test('an export is UTF-8 with a byte order mark and CRLF, and no cell starts a formula', async () => {
  expect(await written([one])).toBe(
    '\ufeffName,Email,Phone,Location,Profession,Time zone,Program,Status,Progress,Tags,Goals,Notes,' +
      'Future goals,Frustrations,Fears,Past failures,Total spent,Added,Formatting (for import)\r\n' +
      'Ada Byron,ada@example.com,+44 20 5550,,,Europe/London,,active,40,"VIP, in person",' +
      `"'=HYPERLINK(""http://evil.example"",""click"")","a ""b""; c\n- d",,,,,150.05,2026-03-01,\r\n`,
  )
})

test('texts are exported as plain text, and unedited ones get their formatting back on import', async () => {
  const client = { ...one, goals: '**Write** it', notes: '# Plan\n• call *Ada*\n5 \\* 3' }
  const text = await written([client])
  expect(text).toContain(',Write it,"Plan\n• call Ada\n5 * 3",')
  const [back] = await planned(text)
  expect(back).toMatchObject({ client: { goals: client.goals, notes: client.notes } })
  const [edited] = await planned(text.replace('call Ada', 'call *Ada* twice'))
  expect(edited).toMatchObject({ client: { goals: client.goals, notes: 'Plan\n• call \\*Ada\\* twice\n5 * 3' } })
})

test('texts of other files are imported as written', async () => {
  const [row] = await planned('Name,Email,Notes\nAda,ada@example.com,"5 * 3 * 2 and __init__\n• one"\n')
  expect(row).toMatchObject({ client: { notes: '5 \\* 3 \\* 2 and \\_\\_init\\_\\_\n• one' } })
})

const pieces = fc.constantFrom(
  '**',
  '__',
  '==',
  '• ',
  '# ',
  '\\\\',
  '{"notes":"x"}',
  '"',
  '""',
  "'",
  '=',
  '+',
  '-',
  '@',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\n\n',
  ' ',
  ' ::: ',
  'a',
  'é',
  '🙂',
  '👩‍👩‍👧',
  'שלום',
  'مرحبا',
  '\u200f',
  '\ufeff',
  '\u2028',
  'sep=;',
  '＝',
  '0',
)
const anything = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''))
const orNothing = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
/** Any text that the schema accepts, as it stores it. */
const someone = fc
  .record({
    name: anything,
    email: fc.constantFrom(
      'a@b.co',
      "o'hara+x@example.com",
      '-dash@example.com',
      '=x@example.com',
      'jörg@exämple.de',
      '@x',
    ),
    phone: orNothing(anything),
    location: orNothing(anything),
    profession: orNothing(anything),
    timezone: fc.constantFrom(null, 'Europe/Paris', 'America/Argentina/Buenos_Aires'),
    program: orNothing(anything),
    status: fc.constantFrom(...clientStatuses),
    progress: fc.integer({ min: 0, max: 100 }),
    tags: fc.uniqueArray(fc.constantFrom('VIP', 'in person', '=1+1', 'Ünal', '"quoted"'), { maxLength: 4 }),
    goals: orNothing(anything),
    notes: orNothing(anything),
    futureGoals: orNothing(anything),
    frustrations: orNothing(anything),
    fears: orNothing(anything),
    failures: orNothing(anything),
  })
  .map((values) => NewClient.safeParse(values))
  .filter((parsed) => parsed.success)
  .map((parsed): ClientValues => parsed.data!)

test('any export imports back identically', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someone, { minLength: 1, maxLength: 6 }), async (people) => {
      const text = await written(
        people.map((person, index) => ({
          ...person,
          name: `${person.name}${index}`,
          totalSpent: 0,
          createdAt: one.createdAt,
        })),
      )
      const back = (await planned(text)).map((row) => (row.outcome === 'create' ? row.client : row))
      expect(back).toEqual(
        people.map((person, index) => ({ ...person, name: `${person.name}${index}`, productId: null })),
      )
    }),
    { numRuns: 500 },
  )
})

test('no cell of any export starts a formula', async () => {
  const { parse } = await import('csv-parse/sync')
  await fc.assert(
    fc.asyncProperty(someone, async (person) => {
      const records: string[][] = parse(await written([{ ...person, totalSpent: 0, createdAt: one.createdAt }]), {
        bom: true,
      })
      for (const cell of records.flat()) expect(cell).not.toMatch(/^\s*(?!\+\d[\d ().-]*$)[=+\-@＝＋－＠]|^[\t\r\n]/)
    }),
    { numRuns: 300 },
  )
})

test('an error file explains each row, keeps it unchanged, and can be imported again once fixed', async () => {
  const original =
    'Problem,First Name,E-mail 1 - Value,Notes\nold,Ada,,"=1+1\nx"\n' +
    ',Bob,bob@example.com,\n,Cy,cy@example.com,fine,extra\n'
  const { headers, rows } = await readCsv(Buffer.from(original))
  const failed = (await planned(original)).flatMap((plan, index) =>
    plan.outcome === 'error' ? [{ row: rows[index]!, reason: plan.reason }] : [],
  )

  const file = formatErrorFile(headers, failed)
  expect(file).toBe(
    '\ufeffProblem,First Name,E-mail 1 - Value,Notes\r\n' +
      `Add an email address.,Ada,,"'=1+1\nx"\r\n` +
      '"This row has 5 cells, but there are 4 columns. Put quotation marks around text that contains commas or ' +
      'semicolons.",Cy,cy@example.com,fine,extra\r\n',
  )
  const corrected = file.replace(',Ada,,', ',Ada,ada@example.com,').replace(',fine,extra', ',"fine,extra"')
  expect(await planned(corrected)).toMatchObject([
    { outcome: 'create', client: { name: 'Ada', email: 'ada@example.com', notes: '=1+1\nx' } },
    { outcome: 'create', client: { name: 'Cy', notes: 'fine,extra' } },
  ])
})
