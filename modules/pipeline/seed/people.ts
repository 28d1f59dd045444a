import type { StageAlias } from '../forms.ts'

/** Somebody of the demo pipeline. Days count back from now; `followUp` counts forward. */
export type Person = {
  name: string
  email?: string
  phone?: string
  title?: string
  company?: string
  location?: string
  timezone?: string
  source?: string
  /** Dollars, and how likely. */
  value: number
  probability: number
  /** A part of the name of the product that was talked about. */
  product?: string
  /** The stages that they went through, each with its day. */
  path: [StageAlias, number][]
  followUp?: number
  notes?: string
  futureGoals?: string
  frustrations?: string
  fears?: string
  failures?: string
  /** The day on which they became a client. */
  converted?: number
}

/** Stillwater Coaching: people in the middle of a career. Oldest first. */
export const stillwater: Person[] = [
  { name: 'Ingeborg Solheim', email: 'ingeborg@solheim.no', title: 'Partner', company: 'Solheim Wikborg', location: 'Oslo, Norway', timezone: 'Europe/Berlin', source: 'Talk at the bar association', value: 2400, probability: 95, product: 'Leadership Intensive', path: [['lead', 560], ['qualified', 552], ['proposal', 541], ['closed_won', 530]], converted: 528, notes: 'Spoke to me after the talk, last in the queue. Asked one question: “And who coaches you?”\n• Takes over the office in January\n• Wants the day in person, not on a screen' },
  { name: 'Desmond Achebe', email: 'desmond@achebe.media', title: 'Commissioning editor', company: 'Achebe Media', location: 'London, United Kingdom', timezone: 'Europe/London', source: 'Referral: Kwame Mensah', value: 1620, probability: 90, product: '12 sessions', path: [['lead', 431], ['qualified', 420], ['negotiation', 402], ['closed_won', 396]], converted: 395, notes: 'Kwame told him “it is cheaper than leaving”. Paid by himself, not by the company. **Receipt without the word coaching.**' },
  { name: 'Rosalind Pemberton', email: 'ros@pembertonarch.co.uk', title: 'Architect', company: 'Pemberton Architects', location: 'Bath, United Kingdom', timezone: 'Europe/London', source: 'Website', value: 960, probability: 90, product: '6 sessions', path: [['lead', 318], ['qualified', 310], ['proposal', 301], ['closed_won', 290]], converted: 289, notes: 'Wants to leave the practice that has her name on the door. Has told nobody.' },
  { name: 'Mateusz Zieliński', email: 'mateusz@zielinski.dev', title: 'Engineering manager', company: 'Baltica', location: 'Gdańsk, Poland', timezone: 'Europe/Berlin', source: 'Podcast', value: 1620, probability: 95, product: '12 sessions', path: [['lead', 188], ['qualified', 181], ['proposal', 170], ['negotiation', 160], ['closed_won', 152]], converted: 151, futureGoals: 'To be asked for his opinion before the plan is made.', fears: 'That he became a manager because he was a mediocre engineer.' },
  { name: 'Yolanda Figueroa', email: 'yolanda@figueroa.mx', title: 'Head of nursing', company: 'Hospital San Rafael', location: 'Guadalajara, Mexico', timezone: 'America/Mexico_City', source: 'Referral: Lucía Herrera', value: 420, probability: 90, product: 'Retainer', path: [['lead', 74], ['qualified', 66], ['closed_won', 52]], converted: 51, notes: 'Two sessions a month, after the night shift. She is never late and always ==eating something==.' },
  { name: 'Henrik Dalgaard', email: 'henrik@dalgaard.dk', title: 'Choir conductor', location: 'Odense, Denmark', timezone: 'Europe/Berlin', source: 'Website', value: 180, probability: 95, product: 'Single Session', path: [['lead', 33], ['qualified', 29], ['closed_won', 20]], converted: 19 },

  { name: 'Samuel Lindqvist', email: 'samuel.lindqvist@vard.example', title: 'Nurse manager', location: 'Malmö, Sweden', timezone: 'Europe/Stockholm', source: 'Newsletter', value: 990, probability: 30, product: '6 sessions', path: [['lead', 96]], followUp: 10, notes: 'Reads every newsletter, answers one in five. No hurry from his side. **Do not chase.**' },
  { name: 'Ottoline Marchetti', email: 'ottoline@marchetti.studio', title: 'Set designer', company: 'Marchetti Studio', location: 'Milan, Italy', timezone: 'Europe/Rome', source: 'Instagram', value: 960, probability: 15, path: [['lead', 58]], followUp: -12, notes: 'Wrote at two in the morning, long and good. Then nothing. One more message, a short one.' },
  { name: 'Tomasz Wiśniewski', email: 'tomasz@baltica.example', title: 'Engineering lead', company: 'Baltica', location: 'Gdynia, Poland', timezone: 'Europe/Berlin', source: 'Referral: Mateusz Zieliński', value: 1980, probability: 20, product: '12 sessions', path: [['lead', 9]], followUp: 3, notes: 'Mateusz sits two desks away from him. Ask both whether that is all right.' },
  { name: 'Noor van Dijk', email: 'noor@vandijk.example', title: 'Illustrator', location: 'Utrecht, Netherlands', timezone: 'Europe/Amsterdam', source: 'Website', value: 720, probability: 10, path: [['lead', 5]], followUp: 8 },
  { name: 'Bartholomew Okeke', title: 'Head of operations', company: 'Lagoon Logistics', location: 'Lagos, Nigeria', phone: '+234 803 555 0177', source: 'Phone', value: 2400, probability: 25, path: [['lead', 2]], followUp: 1, notes: 'Called, did not leave an address. Asked what “a day together” means and laughed at the answer, kindly.' },

  { name: 'Grace Oyelaran', email: 'grace@korahealth.example', title: 'Head of People', company: 'Kora Health', location: 'Boston, Massachusetts', timezone: 'America/New_York', source: 'Conference', value: 4800, probability: 55, product: 'Leadership Intensive', path: [['lead', 44], ['qualified', 31]], followUp: -2, notes: '### Two places, maybe three\nFor managers who were promoted in the merger. She decides together with the CFO.\n• Budget until the end of the quarter\n• Wants to meet **one** former client by phone', futureGoals: 'That nobody in her company learns to lead by being afraid.', frustrations: 'Trainings that everybody likes and nobody remembers.' },
  { name: 'Leila Haddad', email: 'leila@saffrontable.example', title: 'Founder', company: 'Saffron Table', location: 'Brooklyn, New York', timezone: 'America/New_York', source: 'Referral: Beatrix Halloran', value: 3600, probability: 40, product: '12 sessions', path: [['lead', 21], ['qualified', 12]], followUp: 0, notes: 'Second restaurant opens in the spring. Sleeps four hours. Says “we” when she means “I”.\n• Call her **before** ten, afterwards she is in the kitchen', fears: 'That the second one shows that the first was luck.' },
  { name: 'Ravi Mehta', email: 'ravi@mehtarao.example', title: 'Partner', company: 'Mehta & Rao', location: 'Chicago, Illinois', timezone: 'America/Chicago', source: 'LinkedIn', value: 2400, probability: 50, product: 'Leadership Intensive', path: [['lead', 38], ['qualified', 17]], followUp: 2, frustrations: 'Every decision comes back to his desk with a ribbon around it.' },
  { name: 'Mei-Ling Chou', email: 'meiling@papercrane.example', title: 'Design director', company: 'Paper Crane', location: 'Taipei, Taiwan', timezone: 'Asia/Singapore', source: 'Podcast', value: 2160, probability: 60, product: '12 sessions', path: [['lead', 26], ['qualified', 15]], followUp: 6, notes: 'Heard the episode about permission *three times*. Evening calls, her time.' },
  { name: 'Augustin Lefèvre-Moreau', email: 'augustin@lefevremoreau.example', title: 'Notary', location: 'Lyon, France', timezone: 'Europe/Paris', source: 'Website', value: 960, probability: 35, path: [['lead', 19], ['qualified', 8]], followUp: 13, notes: 'Asked for everything in writing, then thanked me for everything in writing.' },

  { name: 'Lucas Ferreira', email: 'lucas@valeverde.example', title: 'CFO', company: 'Vale Verde', location: 'Porto, Portugal', timezone: 'Europe/London', source: 'Referral: Benicio Carvalho', value: 2400, probability: 65, product: 'Leadership Intensive', path: [['lead', 52], ['qualified', 40], ['proposal', 13]], followUp: 1, notes: 'Proposal sent: a day in Porto, then six calls. He reads the price first and the rest later.\n**Question from him:** what if the board says no?', futureGoals: 'Be the CFO who is asked about people, too.' },
  { name: 'Philippa Strand', email: 'pip@strandandsons.example', title: 'Boatbuilder', company: 'Strand & Sons', location: 'Rockport, Maine', timezone: 'America/New_York', source: 'Local paper', value: 1620, probability: 60, product: '12 sessions', path: [['lead', 47], ['qualified', 35], ['proposal', 11]], followUp: 4, frustrations: 'There are no sons. There is her.', notes: 'Wants to pay in four parts. Fine.' },
  { name: 'Jamal Whitaker', email: 'jamal.whitaker@citydesk.example', title: 'Managing editor', company: 'City Desk', location: 'Baltimore, Maryland', timezone: 'America/New_York', source: 'Talk', value: 1620, probability: 45, product: '12 sessions', path: [['lead', 63], ['qualified', 50], ['proposal', 24]], followUp: -5, notes: 'Proposal has been with him for three weeks. Ask what makes it hard, not whether he has read it.' },

  { name: 'Hannah Goldberg', email: 'hannah@bethor.example', title: 'Rabbi', company: 'Beth Or', location: 'Philadelphia, Pennsylvania', timezone: 'America/New_York', source: 'Referral: Isaiah Goldberg', value: 1980, probability: 75, product: '12 sessions', path: [['lead', 80], ['qualified', 61], ['proposal', 30], ['negotiation', 7]], followUp: 0, notes: 'The community pays half, if the treasurer agrees on Thursday. She would pay all of it. **Wait for Thursday.**', fears: 'That a rabbi who needs a coach is a story by Sunday.' },
  { name: 'Omar Farouk', email: 'omar@nilefreight.example', title: 'COO', company: 'Nile Freight', location: 'Cairo, Egypt', timezone: 'Africa/Cairo', source: 'LinkedIn', value: 3600, probability: 80, product: 'Leadership Intensive', path: [['lead', 71], ['qualified', 55], ['proposal', 33], ['negotiation', 10]], followUp: 4, notes: 'Wants three days for the price of two. Offered: two days, and the calls until the summer.\n• Contract goes through Dubai\n• Prefers to talk, __do not__ send long mails' },
  { name: 'Wilhelmina Achterberg-van der Heijden', email: 'wil@achterberg.example', title: 'Director of a small museum of clocks and musical instruments', location: 'Haarlem, Netherlands', timezone: 'Europe/Amsterdam', source: 'Website', value: 1440, probability: 70, path: [['lead', 59], ['proposal', 37], ['negotiation', 16]], followUp: 9 },

  { name: 'Isabella Rossi', email: 'isabella@rossi-pasticceria.example', title: 'Pastry chef', company: 'Pasticceria Rossi', location: 'Bologna, Italy', timezone: 'Europe/Rome', source: 'Instagram', value: 1980, probability: 95, product: '12 sessions', path: [['lead', 49], ['qualified', 41], ['proposal', 27], ['negotiation', 12], ['closed_won', 1]], followUp: 1, notes: 'Signed on a napkin, photographed it, sent the photo. Contract follows. First session: *after* Easter.', futureGoals: 'Teach, and bake on two days only.', failures: 'The shop in Florence, closed after nine months.' },
  { name: 'Gideon Ashby', email: 'gideon@ashbyquartet.example', title: 'Cellist', company: 'Ashby Quartet', location: 'Edinburgh, United Kingdom', timezone: 'Europe/London', source: 'Referral: Jean-Baptiste Rameau', value: 960, probability: 100, product: '6 sessions', path: [['lead', 40], ['qualified', 28], ['closed_won', 3]], followUp: 2, notes: 'All four of them know. The other three are relieved.' },
]

/** North Star Running: late starters, small steps. */
export const northStar: Person[] = [
  { name: 'Birgitta Sandell', email: 'birgitta.sandell@posten.example', title: 'Letter carrier', location: 'Stockholm, Sweden', timezone: 'Europe/Stockholm', source: 'Park run', value: 240, probability: 20, path: [['lead', 31]], followUp: 7, notes: 'Walks 18 km a day at work and says that she is not sporty.' },
  { name: 'Mikko Laaksonen', email: 'mikko@laaksonen.example', title: 'Truck driver', location: 'Tampere, Finland', timezone: 'Europe/Stockholm', source: 'Radio', value: 360, probability: 15, path: [['lead', 6]], followUp: 1 },
  { name: 'Annika Berglund', email: 'annika@berglund.example', title: 'Headteacher', company: 'Norra skolan', location: 'Gävle, Sweden', timezone: 'Europe/Stockholm', source: 'Referral: Matilda Öberg', value: 360, probability: 50, product: 'Half Marathon', path: [['lead', 27], ['qualified', 14]], followUp: -1, notes: 'Matilda’s boss. Wants to start **without** the staff knowing.\n• Left knee, ten years ago\n• Resting pulse 71' },
  { name: 'Davor Perić', email: 'davor.peric@verkstad.example', title: 'Mechanic', location: 'Gothenburg, Sweden', timezone: 'Europe/Stockholm', source: 'Website', value: 240, probability: 45, product: 'First 10 km', path: [['lead', 20], ['qualified', 9]], followUp: 3, fears: 'Being the slowest. He will be, and it will not matter.' },
  { name: 'Solveig Nordahl', email: 'solveig@nordahl.example', title: 'Midwife', location: 'Trondheim, Norway', timezone: 'Europe/Berlin', source: 'Newsletter', value: 360, probability: 65, product: 'Half Marathon', path: [['lead', 41], ['qualified', 29], ['proposal', 8]], followUp: 5 },
  { name: 'Lars-Erik Holmberg', email: 'larserik@holmberg.example', title: 'Retired pilot', location: 'Uppsala, Sweden', timezone: 'Europe/Stockholm', source: 'Referral: Gunilla Ekström', value: 600, probability: 75, path: [['lead', 55], ['qualified', 37], ['negotiation', 6]], followUp: 2, notes: 'Wants a plan with checklists. Will get a plan with checklists.' },
  { name: 'Zainab Osman', email: 'zainab.osman@apoteket.example', title: 'Pharmacist', location: 'Malmö, Sweden', timezone: 'Europe/Stockholm', source: 'Park run', value: 240, probability: 90, product: 'First 10 km', path: [['lead', 33], ['qualified', 22], ['proposal', 15], ['closed_won', 2]], followUp: 0, notes: 'Ran the first kilometer without stopping. Sent a voice message from the bench.' },
]
