import type { ClientField } from '../fields.ts'

export type Source = 'own' | 'google' | 'outlook' | 'apple' | 'hubspot' | 'honeybook'
export const sourceNames: Record<Source, string> = {
  own: 'an export of this product',
  google: 'Google Contacts',
  outlook: 'Outlook',
  apple: 'Apple Contacts',
  hubspot: 'HubSpot',
  honeybook: 'HoneyBook',
}

export function isSource(name: string | null): name is Source {
  return name !== null && Object.hasOwn(sourceNames, name)
}

/** Alternatives for each field; the columns of one alternative are joined in this order. */
export type FieldColumns = Partial<Record<ClientField, string[][]>>

const numbered = (count: number, columns: (n: number) => string[]): string[][] =>
  Array.from({ length: count }, (_, index) => columns(index + 1))

/** Normalized headers of the exports that are recognized. */
export const exportColumns: Record<Exclude<Source, 'own'>, FieldColumns> = {
  google: {
    name: [['first name', 'middle name', 'last name'], ['given name', 'additional name', 'family name'], ['name']],
    email: numbered(9, (n) => [`e mail ${n} value`]),
    phone: numbered(9, (n) => [`phone ${n} value`]),
    location: numbered(3, (n) => [`address ${n} city`, `address ${n} region`, `address ${n} country`]),
    profession: [
      ['organization title', 'organization name'],
      ['organization 1 title', 'organization 1 name'],
      ['occupation'],
    ],
    tags: [['labels'], ['group membership']],
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
    tags: [['categories']],
    notes: [['notes']],
  },
  apple: {
    name: [['first name', 'middle name', 'last name'], ['name']],
    email: ['email', 'e mail'].flatMap((prefix) => [
      [prefix],
      ...['home', 'work', 'icloud', 'other', '1', '2'].map((kind) => [`${prefix} ${kind}`]),
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
  // The reports of booked clients and of leads. Both have a row for each person of each project.
  honeybook: {
    name: [['first name', 'last name'], ['full name']],
    email: [['email'], ['email address']],
    phone: [['phone number']],
    profession: [['company']],
  },
}

/**
 * How people name the columns of their own lists, in common languages. Each entry is one alternative for a field: its
 * columns are joined; | and line breaks separate the synonyms of one column. Earlier entries win.
 */
export const headerSynonyms: [field: ClientField, ...columns: string[]][] = [
  [
    'name',
    'first name|firstname|first|given name|forename|vorname|prenom|nombre|nombres|voornaam|fornamn|имя',
    'middle name|second name|zweiter vorname|deuxieme prenom|segundo nombre',
    `last name|lastname|last|surname|family name|nachname|familienname|nom|nom de famille|apellido|apellidos
      achternaam|cognome|efternamn|фамилия`,
  ],
  [
    'name',
    `name|full name|fullname|contact name|client name|client|contact|display name|vollstandiger name|nom complet
      nombre completo|naam|nome|namn|имя и фамилия`,
  ],
  [
    'email',
    `email|e mail|mail|email address|e mail address|mail address|primary email|email 1|e mail adresse
      email adresse|mailadresse|adresse e mail|adresse email|courriel|correo|correo electronico|e mailadres
      posta elettronica|e post|почта|электронная почта`,
  ],
  ['email', 'personal email|private email|home email|email home|email personal'],
  ['email', 'work email|business email|email work|email 2|secondary email'],
  [
    'phone',
    `mobile|mobile phone|mobile number|cell|cell phone|mobil|handy|mobiltelefon|movil|portable|cellulare|gsm
      мобильный`,
  ],
  [
    'phone',
    `phone|phone number|telephone|tel|phone 1|primary phone|telefon|telefonnummer|telephone number|telefono
      telefoon|телефон`,
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
    `profession|occupation|job title|jobtitle|job|position|role|title|beruf|metier|poste|profesion|cargo
      professione|должность`,
    `company|company name|organization|organisation|employer|firma|unternehmen|entreprise|empresa|azienda|bedrijf
      компания`,
  ],
  ['timezone', 'timezone|time zone|tz|zeitzone|fuseau horaire|zona horaria'],
  ['program', 'program|programme|program type|programm|programa|package'],
  ['status', 'status'],
  ['progress', 'progress|progress percent|fortschritt'],
  ['tags', 'tags|tag|labels|label|categories|category|schlagworte|kategorien|etiquetas|etiquettes'],
  ['goals', 'goals|goal|client goals|ziele|objectifs|objetivos'],
  [
    'notes',
    `notes|note|comments|comment|remarks|notizen|notiz|bemerkungen|bemerkung|kommentar|remarques|commentaires
      notas|comentarios|opmerkingen|заметки`,
  ],
  ['futureGoals', 'future goals|futuregoals'],
  ['frustrations', 'frustrations'],
  ['fears', 'fears'],
  ['failures', 'failures|past failures'],
]
