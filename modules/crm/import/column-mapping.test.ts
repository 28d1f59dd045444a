import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { clientFieldNames, clientFields } from '../fields.ts'
import { guessMapping, type MappingGuess } from './column-mapping.ts'
import { readCsv } from './read-csv.ts'

async function guessFor(fixture: string): Promise<{ guess: MappingGuess; named: Record<string, string[][]> }> {
  const { headers, rows } = await readCsv(await readFile(new URL(`./fixtures/${fixture}`, import.meta.url)))
  return withHeaders(headers, guessMapping(headers, rows))
}

function withHeaders(
  headers: string[],
  guess: MappingGuess,
): { guess: MappingGuess; named: Record<string, string[][]> } {
  const named = Object.entries(guess.mapping)
    .filter(([, alternatives]) => alternatives.length)
    .map(([field, alternatives]) => [
      field,
      alternatives.map((columns) => columns.map((column) => headers[column] ?? '')),
    ])
  return { guess, named: Object.fromEntries(named) }
}

const guessed = (...headers: string[]): { guess: MappingGuess; named: Record<string, string[][]> } =>
  withHeaders(headers, guessMapping(headers))

describe('known exports are mapped without asking', () => {
  test('Google Contacts', async () => {
    const { guess, named } = await guessFor('google.csv')
    expect(guess).toMatchObject({ source: 'google', confident: true })
    expect(named).toEqual({
      name: [['First Name', 'Middle Name', 'Last Name']],
      email: [['E-mail 1 - Value'], ['E-mail 2 - Value']],
      phone: [['Phone 1 - Value'], ['Phone 2 - Value']],
      location: [['Address 1 - City', 'Address 1 - Region', 'Address 1 - Country']],
      profession: [['Organization Title', 'Organization Name']],
      tags: [['Labels']],
      notes: [['Notes']],
    })
  })

  test('Google Contacts until 2024', async () => {
    const { guess, named } = await guessFor('google-old.csv')
    expect(guess).toMatchObject({ source: 'google', confident: true })
    expect(named).toMatchObject({
      name: [['Given Name', 'Additional Name', 'Family Name'], ['Name']],
      profession: [['Organization 1 - Title', 'Organization 1 - Name'], ['Occupation']],
    })
  })

  test('Outlook, where a title is a form of address', async () => {
    const { guess, named } = await guessFor('outlook.csv')
    expect(guess).toMatchObject({ source: 'outlook', confident: true })
    expect(named).toMatchObject({
      name: [['First Name', 'Middle Name', 'Last Name']],
      email: [['E-mail Address'], ['E-mail 2 Address'], ['E-mail 3 Address']],
      location: [
        ['Home City', 'Home State', 'Home Country/Region'],
        ['Business City', 'Business State', 'Business Country/Region'],
        ['Other City'],
      ],
      profession: [['Job Title', 'Company']],
    })
  })

  test('Apple Contacts', async () => {
    const { guess, named } = await guessFor('apple.csv')
    expect(guess).toMatchObject({ source: 'apple', confident: true })
    expect(named).toMatchObject({
      email: [['Email (home)'], ['Email (work)']],
      phone: [['Phone (mobile)'], ['Phone (home)']],
      notes: [['Note']],
    })
  })

  test("HubSpot, whose statuses and time zones aren't ours", async () => {
    const { guess, named } = await guessFor('hubspot.csv')
    expect(guess).toMatchObject({ source: 'hubspot', confident: true })
    expect(named).toMatchObject({
      name: [['First Name', 'Last Name']],
      email: [['Email']],
      profession: [['Job Title', 'Company Name'], ['Associated Company']],
    })
    expect(named).not.toHaveProperty('status')
    expect(named).not.toHaveProperty('timezone')
  })

  test('both reports of HoneyBook, whose projects are no fields of a client', async () => {
    const booked = await guessFor('honeybook-booked.csv')
    expect(booked.guess).toMatchObject({ source: 'honeybook', confident: true })
    expect(booked.named).toEqual({
      name: [['First Name', 'Last Name']],
      email: [['Email']],
      profession: [['Company']],
    })
    const leads = await guessFor('honeybook-leads.csv')
    expect(leads.guess).toMatchObject({ source: 'honeybook', confident: true })
    expect(leads.named).toEqual({
      name: [['Full Name']],
      email: [['Email Address']],
      phone: [['Phone Number']],
    })
  })

  test('but not a list that only shares some headers with HoneyBook', () => {
    for (const headers of [
      ['First Name', 'Last Name', 'Email', 'Project Name', 'Booked Date'],
      ['Full Name', 'Email Address', 'Phone Number', 'Lead Source'],
      ['Project Name', 'Total Booked Value', 'Project Creation Date'],
    ])
      expect(guessed(...headers).guess).toMatchObject({ source: null, confident: false })
  })

  test('our own export and error file', () => {
    const own = clientFieldNames.map((field) => clientFields[field].csv)
    for (const headers of [own, ['Problem', ...own], [...own, 'Added']]) {
      const { guess, named } = guessed(...headers)
      expect(guess).toMatchObject({ source: 'own', confident: true })
      expect(named).toEqual(Object.fromEntries(clientFieldNames.map((field) => [field, [[clientFields[field].csv]]])))
    }
  })

  test('an error file of Google Contacts', async () => {
    const { headers } = await readCsv(await readFile(new URL('./fixtures/google.csv', import.meta.url)))
    expect(guessMapping(['Problem', ...headers])).toMatchObject({ source: 'google', confident: true })
  })
})

describe('other lists', () => {
  test('are mapped without asking if every header is known', async () => {
    expect((await guessFor('excel-german.csv')).guess).toMatchObject({ source: null, confident: true, unmapped: [] })
    expect(guessed('Full name', 'E-Mail', 'Telephone', 'City').guess.confident).toBe(true)
    expect(guessed('firstName', 'lastName', 'email').guess.confident).toBe(true)
    expect(guessed('Nom', 'Prénom', 'Adresse e-mail').named).toEqual({
      name: [['Prénom', 'Nom']],
      email: [['Adresse e-mail']],
    })
  })

  test('need confirmation if a column is left over, or the name or email is missing', () => {
    expect(guessed('Name', 'Email', 'Shoe size').guess).toMatchObject({ confident: false, unmapped: [2] })
    expect(guessed('Name', 'Phone').guess.confident).toBe(false)
    expect(guessed('Column 1', 'Column 2').guess).toMatchObject({ confident: false, unmapped: [0, 1] })
  })

  test('need confirmation if a header is only similar', () => {
    const { guess, named } = guessed("Client's name (legal)", 'Best email to reach', 'Any phone')
    expect(guess.confident).toBe(false)
    expect(named).toEqual({
      name: [["Client's name (legal)"]],
      email: [['Best email to reach']],
      phone: [['Any phone']],
    })
  })

  test('ignore a column whose cells are not a status, progress or time zone', () => {
    const headers = ['Name', 'Email', 'Status', 'Progress', 'Time zone']
    const row = (...cells: string[]) => ({ line: 2, cells, ragged: null })
    expect(
      guessMapping(headers, [row('A', 'a@b.co', 'Active', '40%', 'Europe/Paris'), row('B', 'b@b.co', '', '', '')]),
    ).toMatchObject({ confident: true })
    expect(guessMapping(headers, [row('A', 'a@b.co', 'Hot lead', 'halfway', 'CEST?')])).toMatchObject({
      confident: false,
      unmapped: [2, 3, 4],
    })
  })

  test('keep a column if most cells fit; the others are errors', () => {
    const rows = ['active', 'pending', 'weird'].map((status, index) => ({
      line: 2 + index,
      cells: ['A', 'a@b.co', status],
      ragged: null,
    }))
    expect(guessMapping(['Name', 'Email', 'Status'], rows)).toMatchObject({
      confident: true,
      mapping: { status: [[2]] },
      unmapped: [],
    })
  })

  test('use the first of two columns with the same header', () => {
    expect(guessed('Name', 'Email', 'Email').guess).toMatchObject({ confident: false, unmapped: [2] })
  })
})
