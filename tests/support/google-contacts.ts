/** A contact of the generated file, as the product shows it. */
export type Contact = {
  name: string
  email: string
  phone: string | null
  location: string | null
  profession: string | null
  notes: string | null
}

const headers = [
  'First Name',
  'Middle Name',
  'Last Name',
  'Phonetic First Name',
  'Phonetic Middle Name',
  'Phonetic Last Name',
  'Name Prefix',
  'Name Suffix',
  'Nickname',
  'File As',
  'Organization Name',
  'Organization Title',
  'Organization Department',
  'Birthday',
  'Notes',
  'Photo',
  'Labels',
  'E-mail 1 - Label',
  'E-mail 1 - Value',
  'E-mail 2 - Label',
  'E-mail 2 - Value',
  'Phone 1 - Label',
  'Phone 1 - Value',
  'Address 1 - Label',
  'Address 1 - Formatted',
  'Address 1 - Street',
  'Address 1 - City',
  'Address 1 - PO Box',
  'Address 1 - Region',
  'Address 1 - Postal Code',
  'Address 1 - Country',
  'Address 1 - Extended Address',
  'Website 1 - Label',
  'Website 1 - Value',
] as const
type Header = (typeof headers)[number]

const firstNames = [
  'Maya',
  'José',
  'Priya',
  'Tom',
  'Zoë',
  'Lena',
  'Omar',
  'Ngozi',
  'Søren',
  'Aiko',
  'Łukasz',
  'Chloé',
  'Noah',
  'דנה',
  'Анна',
  '美咲',
  'Ravi',
  'Siobhán',
  'Amara',
  'Ben',
]
const lastNames = [
  'Okonkwo',
  'Ibáñez',
  'Raman',
  'Becker',
  "O'Neill",
  'van der Berg',
  'Haddad',
  'Sørensen',
  'Smith-Jones',
  'Tanaka',
  'Wiśniewski',
  'Diallo',
  'Müller',
]
const cities: [city: string, region: string, country: string][] = [
  ['San Francisco', 'CA', 'US'],
  ['Zürich', '', 'Switzerland'],
  ['Austin', 'TX', 'US'],
  ['São Paulo', 'SP', 'Brazil'],
  ['London', '', 'UK'],
]
const titles = ['VP Product', 'Founder, CEO', 'Head of "People"', 'Architect', '']
const companies = ['Northwind Labs', 'Raman & Co, Ltd', 'Atelier Fischer', '']
const notes = [
  '',
  'Met at the retreat.\nPrefers mornings, "no calls".',
  '=SUM(A1:A9) was in the old sheet',
  'Likes walking sessions 🌱; ask about Rex',
  '',
]

/**
 * Returns a Google Contacts export of `people` different contacts, all with an email address, and the clients that an
 * import creates from it. The same `people` give the same file. `withoutEmail` more contacts have only a phone number.
 */
export function googleContacts({ people, withoutEmail = 0 }: { people: number; withoutEmail?: number }): {
  csv: string
  contacts: Contact[]
} {
  const made = Array.from({ length: people }, (_, index) => createPerson(index))
  const mute = Array.from({ length: withoutEmail }, (_, index) => ({
    'First Name': 'Mute',
    'Last Name': `Number ${index + 1}`,
    'Phone 1 - Value': `+1 555 ${index}`,
  }))
  const rows = [...made.map(({ row }) => row), ...mute]
  const lines = rows.map((row: Partial<Record<Header, string>>) =>
    headers.map((header) => quoteCell(row[header] ?? '')).join(','),
  )
  return { csv: `${[headers.join(','), ...lines].join('\r\n')}\r\n`, contacts: made.map(({ contact }) => contact) }
}

function createPerson(at: number): { row: Partial<Record<Header, string>>; contact: Contact } {
  const first = pick(firstNames, at)
  const middle = at % 7 === 0 ? 'J.' : ''
  const last = `${pick(lastNames, at)}${at < 20 ? '' : ` ${toRoman(Math.floor(at / 20))}`}`
  const email = `person${at + 1}@example.com`
  const phone = at % 4 === 3 ? '' : `+1 415-555-${String(at).padStart(4, '0')}`
  const [city, region, country] = at % 3 === 0 ? pick(cities, at) : ['', '', '']
  const title = pick(titles, at)
  const company = pick(companies, at)
  const note = pick(notes, at)
  return {
    row: {
      'First Name': first,
      'Middle Name': middle,
      'Last Name': last,
      'Organization Name': company,
      'Organization Title': title,
      Notes: note,
      Photo: `https://lh3.googleusercontent.com/cm/person${at + 1}=s100`,
      Labels: at % 5 ? '* myContacts' : 'Coaching ::: * myContacts',
      'E-mail 1 - Label': '* Work',
      'E-mail 1 - Value': at % 10 === 9 ? `${email} ::: second${at + 1}@example.com` : email,
      'Phone 1 - Label': phone && 'Mobile',
      'Phone 1 - Value': phone,
      'Address 1 - Label': city && 'Home',
      'Address 1 - Formatted': city && `1 Main St\n${city}\n${country}`,
      'Address 1 - City': city,
      'Address 1 - Region': region,
      'Address 1 - Country': country,
    },
    contact: {
      name: [first, middle, last].filter(Boolean).join(' '),
      email,
      phone: phone || null,
      location: [city, region, country].filter(Boolean).join(', ') || null,
      profession: [title, company].filter(Boolean).join(', ') || null,
      notes: note || null,
    },
  }
}

function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length]!
}

function toRoman(value: number): string {
  return 'X'.repeat(Math.floor(value / 10)) + ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'][value % 10]!
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
