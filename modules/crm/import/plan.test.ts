import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { googleContacts } from '#tests/support/google-contacts.ts'
import { guessMapping } from './column-mapping.ts'
import { markExisting, toPersonKey, createPlanner, type ExistingClients, type PlannedRow } from './plan.ts'
import { readCsv } from './read-csv.ts'

async function plan(content: string | Uint8Array, known: ExistingClients = new Map()): Promise<PlannedRow[]> {
  const { headers, rows } = await readCsv(Buffer.from(content))
  const plan = createPlanner({ columnCount: headers.length, ...guessMapping(headers, rows) })
  return rows.map((row) => markExisting(known, plan(row)))
}

const planned = async (fixture: string): Promise<PlannedRow[]> =>
  plan(await readFile(new URL(`./fixtures/${fixture}`, import.meta.url)))
const outcomes = (rows: PlannedRow[]): string[] =>
  rows.map((row) => `${row.line} ${row.outcome}${'reason' in row ? `: ${row.reason}` : ''}`)
const clients = (rows: PlannedRow[]): object[] => rows.flatMap((row) => (row.outcome === 'create' ? [row.client] : []))

describe('real exports', () => {
  test('Google Contacts', async () => {
    const rows = await planned('google.csv')
    expect(outcomes(rows)).toEqual(['2 create', '6 create', '7 error: Add an email address.', '8 create'])
    expect(clients(rows)).toMatchObject([
      {
        name: 'Maya Okonkwo',
        email: 'maya.okonkwo@northwind.example',
        phone: '+1 415-555-0134',
        location: 'San Francisco, CA, US',
        profession: 'VP Product, Northwind Labs',
        notes: 'Met at the leadership retreat, wants to talk about "scope".\nPrefers mornings.',
        status: 'active',
        progress: 0,
        tags: ['Coaching'],
        timezone: null,
      },
      { name: 'José Luis Ibáñez', email: 'jl@ibanez.example', phone: '+34 600 555 019' },
      { name: '名 山田 🌱', email: 'yamada@example.jp', phone: null },
    ])
  })

  test('Google Contacts until 2024', async () => {
    expect(clients(await planned('google-old.csv'))).toMatchObject([
      { name: 'Priya Raman', location: 'London, UK', profession: 'Founder, Raman & Co, Ltd' },
      { name: 'Tom R. Becker', email: 'tom@becker.example' },
    ])
  })

  test('200 Google contacts, all unchanged', async () => {
    const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 3 })
    const rows = await plan(csv)
    expect(clients(rows)).toMatchObject(contacts)
    expect(rows.filter((row) => row.outcome === 'error')).toHaveLength(3)
    expect(clients(rows)).toHaveLength(200)
  })

  test('Outlook: home address before business, mobile number before desk phone', async () => {
    expect(clients(await planned('outlook.csv'))).toMatchObject([
      {
        name: 'Helen Park',
        phone: '(312) 555-0107',
        location: 'Chicago, IL, United States of America',
        profession: 'Head of Surgery, City Hospital',
        notes: 'Line one\nLine two',
      },
      { name: 'Omar Haddad', email: 'omar@haddad.example', phone: '617 555 0110', location: 'Boston, MA', notes: null },
    ])
  })

  test('HoneyBook: a person with two projects is added once, and what is to be determined is empty', async () => {
    const booked = await planned('honeybook-booked.csv')
    expect(outcomes(booked)).toEqual(['2 create', '3 duplicate: The same person as on line 2.', '4 create'])
    expect(clients(booked)).toMatchObject([
      { name: 'Nadia Osei', email: 'nadia@osei.example', profession: 'Osei Consulting', status: 'active' },
      { name: 'Sam Lindqvist', email: 'sam@lindqvist.example', profession: null },
    ])
    const leads = await planned('honeybook-leads.csv')
    expect(outcomes(leads)).toEqual(['2 create', '3 create', '4 error: Add an email address.'])
    expect(clients(leads)).toMatchObject([
      { name: 'Irene Castellanos', email: 'irene@castellanos.example', phone: '+1 (312) 555-0144' },
      { name: 'Bo Tanaka', email: 'bo@tanaka.example', phone: null },
    ])
  })

  test('TBD stays in the files of others', async () => {
    expect(clients(await plan('Name,Email,Notes\nTBD,tbd@example.com,TBD\n'))).toMatchObject([
      { name: 'TBD', email: 'tbd@example.com', notes: 'TBD' },
    ])
  })

  test('Apple, HubSpot and Excel lists', async () => {
    expect(clients(await planned('apple.csv'))).toMatchObject([
      { name: 'Lena Fischer', email: 'lena@atelier.example', location: 'Torstr. 5, 10119 Berlin' },
      { name: "Noah O'Neill" },
    ])
    expect(clients(await planned('hubspot.csv'))).toMatchObject([
      { name: 'Amara Diallo', phone: '+33 1 55 55 01 23', location: 'Paris, France' },
      { phone: '555 0199' },
    ])
    expect(clients(await planned('excel-german.csv'))).toMatchObject([
      { name: 'Jürgen Müller', location: 'Köln', profession: 'Geschäftsführer' },
      { name: 'Sören Groß, Dr.' },
    ])
    expect(clients(await planned('excel-sep.csv'))).toMatchObject([{ name: 'Ada; Countess', phone: '+44 20 5550' }])
    expect(clients(await planned('excel-unicode.txt'))).toMatchObject([
      { name: 'Анна Кузнецова', notes: 'Первая\nвторая' },
      { name: 'דנה לוי', location: 'חיפה' },
    ])
  })
})

describe('duplicates', () => {
  const twice = 'Name,Email\nAda Byron,ada@example.com\nADA  BYRON,Ada@Example.com\nLord Byron,ada@example.com\n'

  test('within a file: the same email and name in any spelling', async () => {
    expect(outcomes(await plan(twice))).toEqual(['2 create', '3 duplicate: The same person as on line 2.', '4 create'])
  })

  test('of existing clients, archived or not', async () => {
    const known: ExistingClients = new Map([
      [toPersonKey({ name: 'Ada byron', email: 'ADA@example.com' }), 'client'],
      [toPersonKey({ name: 'Lord Byron', email: 'ada@example.com' }), 'archived'],
    ])
    expect(outcomes(await plan(twice, known))).toEqual([
      '2 duplicate: Already one of your clients.',
      '3 duplicate: The same person as on line 2.',
      '4 duplicate: Already one of your archived clients.',
    ])
  })

  test('importing the same file again adds nothing', async () => {
    const first = await planned('google.csv')
    const known: ExistingClients = new Map(
      first.flatMap((row) => (row.outcome === 'create' ? [[row.personKey, 'client'] as const] : [])),
    )
    const again = (await plan(await readFile(new URL('./fixtures/google.csv', import.meta.url)), known)).map(
      (row) => row.outcome,
    )
    expect(again).toEqual(['duplicate', 'duplicate', 'error', 'duplicate'])
  })
})

describe('an invalid row says what to do', () => {
  test.each([
    ['Name,Email\n,a@b.co', 'Add a name.'],
    ['Name,Email\nAda,', 'Add an email address.'],
    ['Name,Email\n,x', 'Add a name. Email: enter a valid email address.'],
    [`Name,Email\n${'x'.repeat(256)},a@b.co`, 'Name: use at most 255 characters.'],
    ['Name,Email,Phone\nAda,a@b.co,x\u0007', 'Phone: this text contains an unsupported character.'],
    [
      'Name,Email\nAda,a@b.co,extra',
      'This row has 3 cells, but there are 2 columns. ' +
        'Put quotation marks around text that contains commas or semicolons.',
    ],
    [`Name,Email,Notes\nAda,a@b.co,${'x'.repeat(50_001)}`, 'Notes: use at most 50,000 characters.'],
  ])('%j', async (content, reason) => {
    expect(await plan(content)).toMatchObject([{ outcome: 'error', reason }])
  })

  test('a short row lacks only its last cells', async () => {
    expect(clients(await plan('Name,Email,Phone\nAda,a@b.co'))).toMatchObject([{ name: 'Ada', phone: null }])
  })

  test('statuses and progress in our own files are validated', async () => {
    const headers =
      'Name,Email,Phone,Location,Profession,Time zone,Program,Status,Progress,Goals,Notes,' +
      'Future goals,Frustrations,Fears,Past failures'
    const rows = await plan(
      `${headers}\nA,a@b.co,,,,Europe/Paris,,Active,40%,,,,,,\nB,b@b.co,,,,Mars,,lead,120,,,,,,\n`,
    )
    expect(rows).toMatchObject([
      { outcome: 'create', client: { status: 'active', progress: 40, timezone: 'Europe/Paris' } },
      {
        outcome: 'error',
        reason:
          'Time zone: choose a time zone from the list. Status: choose one of active, inactive, completed, pending. ' +
          'Progress: enter a whole number from 0 to 100.',
      },
    ])
  })
})
