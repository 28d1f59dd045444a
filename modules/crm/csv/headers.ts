import { isTimezone } from '#app/lib/zod-types.ts'
import { clientFields, clientStatuses, type ClientField } from '../forms.ts'
import { problemColumn } from './error-column.ts'
import type { CsvRow } from './read.ts'

/**
 * The columns of the file, counted from 0, that make each field of a client: a list of alternatives, of which the first
 * with something in it counts; the columns of one alternative are joined (first and last name; city and country).
 */
export type Mapping = Record<ClientField, number[][]>

export type Source = 'own' | 'google' | 'outlook' | 'apple' | 'hubspot'
export const sourceNames: Record<Source, string> = {
  own: 'an export of this product',
  google: 'Google Contacts',
  outlook: 'Outlook',
  apple: 'Apple Contacts',
  hubspot: 'HubSpot',
}

export function isSource(name: string | null): name is Source {
  return name !== null && Object.hasOwn(sourceNames, name)
}

export type Guess = {
  source: Source | null
  mapping: Mapping
  /** True when nobody needs to be asked: the names of the columns leave no doubt about name and e-mail address. */
  sure: boolean
  /** Columns that become nothing. */
  unmapped: number[]
}

/** The name of each field: the header of an export, and what screens show. */
export const fieldNames: Record<ClientField, string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  location: 'Location',
  profession: 'Profession',
  timezone: 'Time zone',
  program: 'Program',
  status: 'Status',
  progress: 'Progress',
  goals: 'Goals',
  notes: 'Notes',
  futureGoals: 'Future goals',
  frustrations: 'Frustrations',
  fears: 'Fears',
  failures: 'Past failures',
}

/** Says which column is what, from the names of the columns; `rows` keep it from taking a column whose cells don't fit. */
export function guessMapping(headers: string[], rows: CsvRow[] = []): Guess {
  const names = headers.map(normal)
  const source = sourceOf(names)
  if (source) {
    const mapping = pick(names, source === 'own' ? ownColumns : columnsOf[source])
    return { source, mapping, sure: true, unmapped: unmappedOf(headers, mapping) }
  }
  const exact = withoutMisfits(byWords(names), rows)
  const left = unmappedOf(headers, exact)
  const mapping = addLikely(names, exact, left)
  return { source, mapping, sure: isComplete(exact, left), unmapped: unmappedOf(headers, mapping) }
}

export function noMapping(): Mapping {
  return {
    name: [],
    email: [],
    phone: [],
    location: [],
    profession: [],
    timezone: [],
    program: [],
    status: [],
    progress: [],
    goals: [],
    notes: [],
    futureGoals: [],
    frustrations: [],
    fears: [],
    failures: [],
  }
}

/** Why a mapping won't do, in a sentence; null when it will. */
export function unmappable(mapping: Mapping, headers: string[]): string | null {
  const columns = Object.values(mapping).flat(2)
  if (columns.some((at) => !Number.isInteger(at) || at < 0 || at >= headers.length))
    return 'This file has other columns. Choose them again.'
  if (!mapping.name.length && !mapping.email.length)
    return 'Choose the columns that hold the name and the email address.'
  if (!mapping.name.length) return 'Choose the column that holds the name.'
  if (!mapping.email.length) return 'Choose the column that holds the email address.'
  return null
}

/** Columns that no field takes. The column of an error file that says what was wrong isn't one of them. */
export function unmappedOf(headers: string[], mapping: Mapping): number[] {
  const used = new Set(Object.values(mapping).flat(2))
  return headers.flatMap((header, at) => (used.has(at) || header === problemColumn || header.trim() === '' ? [] : [at]))
}

/** Lower case, no accents, single spaces for whatever is no letter or digit: `E-Mail-Adresse` → `e mail adresse`. */
function normal(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function sourceOf(names: string[]): Source | null {
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.includes(name))
  if (has(...clientFields.map((field) => normal(fieldNames[field])))) return 'own'
  if (has('e mail 1 value') && (has('first name') || has('given name') || has('name'))) return 'google'
  if (has('e mail address') && (has('e mail display name') || has('e mail 2 address')) && has('first name'))
    return 'outlook'
  if (has('email') && (has('lifecycle stage') || has('lead status') || has('contact owner')) && has('first name'))
    return 'hubspot'
  if (names.some((name) => /^e ?mail (home|work|other|icloud|1)$/.test(name)) && has('first name', 'last name'))
    return 'apple'
  return null
}

// Lists of alternatives; each lists the columns that are joined, in this order.
type Columns = Partial<Record<ClientField, string[][]>>

const numbered = (count: number, name: (at: number) => string[]): string[][] =>
  Array.from({ length: count }, (_, at) => name(at + 1))

const columnsOf: Record<Exclude<Source, 'own'>, Columns> = {
  google: {
    name: [['first name', 'middle name', 'last name'], ['given name', 'additional name', 'family name'], ['name']],
    email: numbered(9, (at) => [`e mail ${at} value`]),
    phone: numbered(9, (at) => [`phone ${at} value`]),
    location: numbered(3, (at) => [`address ${at} city`, `address ${at} region`, `address ${at} country`]),
    profession: [
      ['organization title', 'organization name'],
      ['organization 1 title', 'organization 1 name'],
      ['occupation'],
    ],
    notes: [['notes']],
  },
  outlook: {
    name: [['first name', 'middle name', 'last name']],
    email: [['e mail address'], ['e mail 2 address'], ['e mail 3 address']],
    phone: [
      ['mobile phone'],
      ['primary phone'],
      ['business phone'],
      ['home phone'],
      ['business phone 2'],
      ['home phone 2'],
      ['other phone'],
    ],
    location: ['home', 'business', 'other'].map((kind) => [
      `${kind} city`,
      `${kind} state`,
      `${kind} country region`,
      `${kind} country`,
    ]),
    profession: [['job title', 'company']],
    notes: [['notes']],
  },
  apple: {
    name: [['first name', 'middle name', 'last name'], ['name']],
    email: ['email', 'e mail'].flatMap((word) => [
      [word],
      ...['home', 'work', 'icloud', 'other', '1', '2'].map((kind) => [`${word} ${kind}`]),
    ]),
    phone: [
      ['phone'],
      ...['mobile', 'iphone', 'home', 'work', 'main', 'other', '1', '2'].map((kind) => [`phone ${kind}`]),
    ],
    location: [['city', 'state', 'country'], ['address home'], ['address work'], ['address']],
    profession: [
      ['job title', 'company'],
      ['job title', 'organization'],
    ],
    notes: [['note'], ['notes']],
  },
  hubspot: {
    name: [['first name', 'last name']],
    email: [['email'], ['work email']],
    phone: [['mobile phone number'], ['phone number']],
    location: [['city', 'state region', 'country region']],
    profession: [
      ['job title', 'company name'],
      ['job title', 'associated company'],
    ],
    notes: [['notes'], ['message']],
  },
}

const ownColumns: Columns = Object.fromEntries(clientFields.map((field) => [field, [[normal(fieldNames[field])]]]))

/** The columns of `wanted` that the file has. */
function pick(names: string[], wanted: Columns): Mapping {
  const mapping = noMapping()
  const taken = new Set<number>()
  for (const field of clientFields) {
    for (const alternative of wanted[field] ?? []) {
      const columns = alternative.map((name) => names.indexOf(name)).filter((at) => at !== -1 && !taken.has(at))
      if (columns.length) mapping[field].push(columns)
      for (const at of columns) taken.add(at)
    }
  }
  return mapping
}

// How people name the columns of their own lists, in the languages that lists come in most.
const words: [field: ClientField, ...joined: string[]][] = [
  [
    'name',
    'first name|firstname|first|given name|forename|vorname|prenom|nombre|nombres|voornaam|fornamn|имя',
    'middle name|second name|zweiter vorname|deuxieme prenom|segundo nombre',
    'last name|lastname|last|surname|family name|nachname|familienname|nom|nom de famille|apellido|apellidos|achternaam|cognome|efternamn|фамилия',
  ],
  [
    'name',
    'name|full name|fullname|contact name|client name|client|contact|display name|vollstandiger name|nom complet|nombre completo|naam|nome|namn|имя и фамилия',
  ],
  [
    'email',
    'email|e mail|mail|email address|e mail address|mail address|primary email|email 1|e mail adresse|email adresse|mailadresse|adresse e mail|adresse email|courriel|correo|correo electronico|e mailadres|posta elettronica|e post|почта|электронная почта',
  ],
  ['email', 'personal email|private email|home email|email home|email personal'],
  ['email', 'work email|business email|email work|email 2|secondary email'],
  [
    'phone',
    'mobile|mobile phone|mobile number|cell|cell phone|mobil|handy|mobiltelefon|movil|portable|cellulare|gsm|мобильный',
  ],
  [
    'phone',
    'phone|phone number|telephone|tel|phone 1|primary phone|telefon|telefonnummer|telephone number|telefono|telefoon|телефон',
  ],
  ['phone', 'home phone|work phone|business phone|phone 2'],
  [
    'location',
    'city|town|ort|stadt|wohnort|ville|ciudad|citta|plaats|город',
    'state|region|province|county|bundesland|state region|provincia',
    'country|land|pays|pais|paese|country region|страна',
  ],
  ['location', 'location|place|address|adresse|direccion|standort'],
  [
    'profession',
    'profession|occupation|job title|jobtitle|job|position|role|title|beruf|metier|poste|profesion|cargo|professione|должность',
    'company|company name|organization|organisation|employer|firma|unternehmen|entreprise|empresa|azienda|bedrijf|компания',
  ],
  ['timezone', 'timezone|time zone|tz|zeitzone|fuseau horaire|zona horaria'],
  ['program', 'program|programme|program type|programm|programa|package'],
  ['status', 'status'],
  ['progress', 'progress|progress percent|fortschritt'],
  ['goals', 'goals|goal|client goals|ziele|objectifs|objetivos'],
  [
    'notes',
    'notes|note|comments|comment|remarks|notizen|notiz|bemerkungen|bemerkung|kommentar|remarques|commentaires|notas|comentarios|opmerkingen|заметки',
  ],
  ['futureGoals', 'future goals|futuregoals'],
  ['frustrations', 'frustrations'],
  ['fears', 'fears'],
  ['failures', 'failures|past failures'],
]

function byWords(names: string[]): Mapping {
  const mapping = noMapping()
  const taken = new Set<number>()
  for (const [field, ...joined] of words) {
    const columns = joined.flatMap((list) => columnOf(names, list.split('|').map(normal), taken))
    if (columns.length) mapping[field].push(columns)
    for (const at of columns) taken.add(at)
  }
  return mapping
}

function columnOf(names: string[], wanted: string[], taken: Set<number>): number[] {
  const at = names.findIndex((name, column) => wanted.includes(name) && !taken.has(column))
  return at === -1 ? [] : [at]
}

/** Everything has a name that means one thing, and what a client can't do without is there. */
function isComplete(mapping: Mapping, left: number[]): boolean {
  return left.length === 0 && mapping.name.length > 0 && mapping.email.length > 0
}

/** Columns that only sound like a field, for the coach to confirm: `Client's email (private)`. */
function addLikely(names: string[], mapping: Mapping, left: number[]): Mapping {
  const likely: [ClientField, RegExp][] = [
    ['email', /(^| )(e ?mail|mail)( |$)/],
    ['phone', /phone|telefon|mobil/],
    ['name', /(^| )name( |$)/],
  ]
  const more = { ...mapping }
  for (const [field, sound] of likely) {
    const at = left.find((column) => sound.test(names[column] ?? ''))
    if (more[field].length === 0 && at !== undefined) more[field] = [[at]]
  }
  return more
}

/** A list's own status or time zone is often none of ours: such a column is left out unless most of its cells fit. Those that don't are to correct. */
function withoutMisfits(mapping: Mapping, rows: CsvRow[]): Mapping {
  const fits: Partial<Record<ClientField, (cell: string) => boolean>> = {
    status: (cell) => clientStatuses.some((status) => status === cell.toLowerCase()),
    progress: (cell) => /^\d{1,3} ?%?$/.test(cell),
    timezone: isTimezone,
  }
  const kept = { ...mapping }
  for (const field of clientFields) {
    const fit = fits[field]
    if (!fit) continue
    kept[field] = mapping[field].filter((columns) =>
      columns.every((at) => {
        const filled = rows.slice(0, 1000).flatMap(({ cells }) => cells[at]?.trim() || [])
        return filled.length <= 2 * filled.filter(fit).length
      }),
    )
  }
  return kept
}
