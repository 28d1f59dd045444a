import { clientStatuses } from '#modules/crm/forms.ts'
import { archiveClient, deleteClient } from '#modules/crm/services/clients.ts'
import { clientsOf, type House, type Wanted } from '../test-app.ts'
import { sales } from '#modules/billing/e2e/screens.ts'
import { moduleScreens } from '../module-screens.ts'
import { anImport, doneImport, interactions, mixed, stalledImport } from '#modules/crm/e2e/screens.ts'
import { prospects } from '#modules/pipeline/e2e/screens.ts'
import type { World } from './screen.ts'

let world: Promise<World> | undefined

/** Made once in each worker: the screens only look. */
export function worldOf(house: House): Promise<World> {
  return (world ??= makeWorld(house))
}

const primaryColor = '#0f766e'

async function makeWorld(house: House): Promise<World> {
  const look: Wanted = {
    primaryColor,
    businessName: 'Winter Coaching',
    bio: 'I work with people in the middle of a career.\n\nWe begin with what your days look like.',
  }
  const long = `Wolfeschlegelsteinhausenbergerdorff${'welche vor altern waren gewissenhaft schafers'.replaceAll(' ', '')}`
  const full = await house.aCoach({
    ...look,
    ownHost: true,
    clients: [
      { name: 'Put Away' },
      { name: 'Thrown Away' },
      ...Array.from({ length: 60 }, (_, at) => ({
        name: `Client Number ${at + 1}`,
        progress: at,
        status: clientStatuses[at % 4],
      })),
      {
        name: long,
        email: `${'long'.repeat(16)}@${'host'.repeat(15)}.${'domain'.repeat(10)}.example`,
        goals: 'unbreakable'.repeat(60),
        location: long,
        profession: long,
        phone: '+1 555 0100 ext. 99999999999999999999',
        notes: long.repeat(20),
      },
      {
        name: 'Grace Hopper',
        phone: '+1 555 0100',
        location: 'New York',
        profession: 'Admiral',
        program: 'Career Transition',
        timezone: 'America/New_York',
        progress: 60,
        goals: 'Write a **book**.\n• one chapter a week',
        notes: '## First session\nShe talks in *nanoseconds*.',
        futureGoals: 'Teach',
        frustrations: 'Meetings',
        fears: 'Boredom',
        failures: 'None that count',
      },
    ],
  })
  const limited = await house.aCoach({ ...look, plan: 'free', ownHost: true, clients: [{ name: 'Only One' }] })
  const clients = await clientsOf(full)
  const idOf = (name: string) => clients.find((client) => client.name === name)!.id
  const [archived, trashed] = [idOf('Put Away'), idOf('Thrown Away')]
  await full.write((ctx) => archiveClient(ctx, archived))
  await full.write((ctx) => deleteClient(ctx, trashed))
  const own = {
    newcomer: await house.aCoach(look),
    full,
    limited,
    admin: await house.aCoach({ ...look, isAdmin: true }),
    client: idOf('Grace Hopper'),
    long: idOf(long),
    bare: idOf('Client Number 1'),
    archived,
    trashed,
    ...(await sales(full, idOf('Grace Hopper'), long)),
    ...(await prospects(full, long)),
    only: (await clientsOf(limited))[0]!.id,
    interaction: await interactions(full, idOf('Grace Hopper'), long),
    imports: {
      columns: await anImport(full, 'Who,Where to write\nZoe,zoe@example.com\n'),
      preview: await anImport(full, mixed),
      noRoom: await anImport(limited, mixed),
      running: await stalledImport(full),
      done: await doneImport(house, full),
    },
  }
  const given = { coach: full, client: own.client, longClient: own.long, long }
  for (const { world } of moduleScreens) Object.assign(own, await world?.(given))
  return own as World
}
