import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { NewAppointment } from '#modules/calendar/forms.ts'
import { addAppointment } from '#modules/calendar/services/appointments.ts'
import { addType } from '#modules/calendar/services/types.ts'
import { NewProduct, NewPurchase, purchaseStatuses } from '#modules/billing/forms.ts'
import { addProduct } from '#modules/billing/services/products.ts'
import { recordPurchase } from '#modules/billing/services/purchases.ts'
import { clientStatuses, NewInteraction } from '#modules/crm/forms.ts'
import { archiveClient, deleteClient } from '#modules/crm/services/clients.ts'
import { NewProspect, NewStage } from '#modules/pipeline/forms.ts'
import { prospectOf } from '#modules/pipeline/index.ts'
import { convertProspect } from '#modules/pipeline/services/conversion.ts'
import { addProspect, editProspect } from '#modules/pipeline/services/prospects.ts'
import { addStage } from '#modules/pipeline/services/stages.ts'
import { importJob, runImport, startImport } from '#modules/crm/services/import.ts'
import { addInteraction } from '#modules/crm/services/interactions.ts'
import { clientsOf, type Coach, type Complaints, type House, type Wanted } from './house.ts'
import { hydrated } from './settled.ts'

/** The coaches whom the screens are shown to, all in one colour. */
export type World = {
  newcomer: Coach
  full: Coach
  /** On the free plan, with the one client that it includes. */
  limited: Coach
  admin: Coach
  /** A client of `full` with everything filled in, and one with the longest texts that there are. */
  client: number
  long: number
  bare: number
  archived: number
  trashed: number
  product: number
  purchase: number
  /** The one client of `limited`. */
  only: number
  interaction: number
  /** One with everything filled in, one with the longest texts; a stage that holds some, and one that holds none. */
  prospect: number
  longProspect: number
  converted: number
  stage: number
  emptyStage: number
  /** One of today that can be completed, one ahead with the longest texts, and the type of both. */
  session: number
  longSession: number
  sessionType: number
  imports: { columns: number; preview: number; noRoom: number; running: number; done: number }
}

export type Screen = {
  name: string
  /** As the router writes it: the list of screens is held against the build by this. */
  page: string
  at: string | ((world: World) => string)
  as: 'visitor' | 'newcomer' | 'full' | 'limited' | 'admin'
  /** On the coach's own host. */
  own?: 'full' | 'limited'
  status?: number
  /** What has to be done to see it. */
  then?: (page: Page) => Promise<void>
  /** What the browser says of a load that is made to fail. */
  complains?: RegExp
  /** Shown on a phone only, or on a wide screen only. */
  only?: 'phone' | 'wide'
}

type Size = { width: number; height: number }
export const wide: Size = { width: 1440, height: 900 }
export const phone: Size = { width: 390, height: 844 }

const unreadable = /: SyntaxError/

const visitorScreens: Screen[] = [
  { name: 'landing', page: '/', at: '/', as: 'visitor' },
  { name: 'coach-page', page: '/', at: '/', as: 'visitor', own: 'full' },
  { name: 'coach-page-powered-by', page: '/', at: '/', as: 'visitor', own: 'limited' },
  { name: 'sign-in', page: '/auth', at: '/auth', as: 'visitor' },
  { name: 'sign-in-own-host', page: '/auth', at: '/auth', as: 'visitor', own: 'full' },
  { name: 'sign-in-refused', page: '/auth', at: '/auth', as: 'visitor', then: refuseSignIn },
  { name: 'register', page: '/auth', at: '/auth?tab=register', as: 'visitor' },
  { name: 'register-refused', page: '/auth', at: '/auth?tab=register', as: 'visitor', then: refuseRegistration },
  { name: 'forgot', page: '/auth/forgot', at: '/auth/forgot', as: 'visitor' },
  { name: 'forgot-sent', page: '/auth/forgot', at: '/auth/forgot?sent', as: 'visitor' },
  { name: 'reset', page: '/auth/reset', at: '/auth/reset?token=x', as: 'visitor' },
  { name: 'reset-incomplete', page: '/auth/reset', at: '/auth/reset', as: 'visitor' },
  { name: 'test-purchase', page: '/test-purchase', at: '/test-purchase?tried=2x96000_1x9999999999', as: 'visitor' },
  { name: 'test-purchase-powered-by', page: '/test-purchase', at: '/test-purchase', as: 'visitor', own: 'limited' },
  { name: 'test-purchase-refused', page: '/test-purchase', at: '/test-purchase', as: 'visitor', then: (page) => page.getByRole('button', { name: 'Record Purchase' }).click().then(() => page.getByRole('main').getByText('Please select a product and enter an amount').waitFor()) },
  { name: 'not-found', page: '/*', at: '/nowhere', as: 'visitor', status: 404 },
]

const shellScreens: Screen[] = [
  { name: 'dashboard', page: '/dashboard', at: '/dashboard', as: 'full' },
  { name: 'dashboard-own-host', page: '/dashboard', at: '/dashboard', as: 'full', own: 'full' },
  { name: 'dashboard-empty', page: '/dashboard', at: '/dashboard', as: 'newcomer' },
  { name: 'dashboard-toast', page: '/settings', at: '/settings', as: 'full', then: (page) => page.getByRole('button', { name: 'Save Profile' }).click().then(() => page.getByText('Profile saved.').waitFor()) },
  { name: 'account-menu', page: '/dashboard', at: '/dashboard', as: 'full', then: openAccountMenu },
  { name: 'more-sheet', page: '/dashboard', at: '/dashboard', as: 'full', only: 'phone', then: (page) => page.getByRole('button', { name: 'More' }).last().click() },
  { name: 'palette', page: '/dashboard', at: '/dashboard', as: 'full', then: (page) => page.keyboard.press('Control+k') },
  { name: 'palette-results', page: '/dashboard', at: '/dashboard', as: 'full', then: (page) => palette(page, 'client') },
  { name: 'palette-nothing', page: '/dashboard', at: '/dashboard', as: 'full', then: (page) => palette(page, 'zzzz') },
  { name: 'palette-failed', page: '/dashboard', at: '/dashboard', as: 'full', then: failingSearch },
  { name: 'sidebar-search', page: '/dashboard', at: '/dashboard', as: 'full', only: 'wide', then: sidebarSearch },
  { name: 'search', page: '/search', at: '/search', as: 'full' },
  { name: 'search-results', page: '/search', at: '/search?q=client', as: 'full' },
  { name: 'settings', page: '/settings', at: '/settings', as: 'full' },
  { name: 'settings-refused', page: '/settings', at: '/settings', as: 'full', then: refuseProfile },
  { name: 'branding', page: '/branding', at: '/branding', as: 'full' },
  { name: 'branding-preview-yellow', page: '/branding', at: '/branding', as: 'full', then: (page) => page.getByLabel('Hex value').fill('#fff7b0') },
  { name: 'branding-refused', page: '/branding', at: '/branding', as: 'full', then: refuseBranding },
  { name: 'trash', page: '/trash', at: '/trash', as: 'full' },
  { name: 'trash-of-a-kind', page: '/trash', at: '/trash?kind=client', as: 'full' },
  { name: 'trash-empty', page: '/trash', at: '/trash', as: 'newcomer' },
  { name: 'trash-erase', page: '/trash', at: ({ trashed }) => `/trash?erase=client-${trashed}`, as: 'full' },
  { name: 'history', page: '/history/client/:id', at: ({ long }) => `/history/client/${long}`, as: 'full' },
  { name: 'history-of-trashed', page: '/history/client/:id', at: ({ trashed }) => `/history/client/${trashed}`, as: 'full' },
  { name: 'upgrade', page: '/upgrade', at: '/upgrade', as: 'newcomer' },
  { name: 'upgrade-full', page: '/upgrade', at: '/upgrade', as: 'limited' },
  { name: 'not-found-signed-in', page: '/*', at: '/nowhere', as: 'full', status: 404 },
]

const clientScreens: Screen[] = [
  { name: 'clients', page: '/clients', at: '/clients', as: 'full' },
  { name: 'clients-failed', page: '/clients', at: '/dashboard', as: 'full', then: (page) => failingLoad(page, '/clients', 'Error Loading Clients'), complains: unreadable },
  { name: 'clients-cards', page: '/clients', at: '/clients?view=cards&page=2', as: 'full' },
  { name: 'clients-empty', page: '/clients', at: '/clients', as: 'newcomer' },
  { name: 'clients-nothing-found', page: '/clients', at: '/clients?q=zzzz', as: 'full' },
  { name: 'clients-archive', page: '/clients', at: '/clients?show=archive', as: 'full' },
  { name: 'clients-second-page', page: '/clients', at: '/clients?page=2', as: 'full' },
  { name: 'clients-more', page: '/clients', at: '/clients?page=2', as: 'full', then: (page) => page.getByRole('main').getByRole('button', { name: 'More' }).click() },
  { name: 'clients-row-menu', page: '/clients', at: '/clients?page=2', as: 'full', then: (page) => page.getByRole('button', { name: /^Actions for / }).first().click() },
  { name: 'client-add', page: '/clients', at: '/clients?page=2&dialog=add', as: 'full' },
  { name: 'client-add-refused', page: '/clients', at: '/clients?page=2&dialog=add', as: 'full', then: refuseClient },
  { name: 'client-add-limit', page: '/clients', at: '/clients?dialog=add', as: 'limited' },
  { name: 'client', page: '/clients/:id', at: ({ client }) => `/clients/${client}`, as: 'full' },
  { name: 'client-long', page: '/clients/:id', at: ({ long }) => `/clients/${long}`, as: 'full' },
  { name: 'client-bare', page: '/clients/:id', at: ({ bare }) => `/clients/${bare}`, as: 'full' },
  { name: 'client-archived', page: '/clients/:id', at: ({ archived }) => `/clients/${archived}`, as: 'full' },
  { name: 'client-missing', page: '/clients/:id', at: '/clients/999999999', as: 'full', status: 404 },
  { name: 'client-edit-mode', page: '/clients/:id', at: ({ client }) => `/clients/${client}?edit`, as: 'full' },
  { name: 'client-edit-mode-long', page: '/clients/:id', at: ({ long }) => `/clients/${long}?edit`, as: 'full' },
  { name: 'client-edit-mode-refused', page: '/clients/:id', at: ({ client }) => `/clients/${client}?edit`, as: 'full', then: refuseSave },
  { name: 'client-saved-meanwhile', page: '/clients/:id', at: ({ client }) => `/clients/${client}?edit`, as: 'full', then: saveMeanwhile },
  { name: 'client-timeline-purchases', page: '/clients/:id', at: ({ client }) => `/clients/${client}?kind=purchase`, as: 'full' },
  { name: 'interaction-add', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=interaction`, as: 'full' },
  { name: 'interaction-add-refused', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=interaction`, as: 'full', then: refuseInteraction },
  { name: 'interaction-edit', page: '/clients/:id', at: ({ client, interaction }) => `/clients/${client}?dialog=interaction&interaction=${interaction}`, as: 'full' },
  { name: 'interaction-gone', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=interaction&interaction=999999999`, as: 'full' },
  { name: 'interaction-history', page: '/history/client_interaction/:id', at: ({ interaction }) => `/history/client_interaction/${interaction}`, as: 'full' },
  { name: 'interactions', page: '/clients/:id/interactions', at: ({ client }) => `/clients/${client}/interactions`, as: 'full' },
  { name: 'interactions-failed', page: '/clients/:id/interactions', at: ({ client }) => `/clients/${client}`, as: 'full', then: (page) => failingLoad(page, `${new URL(page.url()).pathname}/interactions`, 'Failed to fetch interactions'), complains: unreadable },
  { name: 'interactions-empty', page: '/clients/:id/interactions', at: ({ long }) => `/clients/${long}/interactions`, as: 'full' },
  { name: 'interactions-missing', page: '/clients/:id/interactions', at: '/clients/999999999/interactions', as: 'full', status: 404 },
  { name: 'client-edit', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=edit`, as: 'full' },
  { name: 'client-edit-refused', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=edit`, as: 'full', then: refuseEdit },
  { name: 'import', page: '/clients/import', at: '/clients/import', as: 'full' },
  { name: 'import-empty', page: '/clients/import', at: '/clients/import', as: 'newcomer' },
  { name: 'import-columns', page: '/clients/import/:id', at: ({ imports }) => `/clients/import/${imports.columns}`, as: 'full' },
  { name: 'import-preview', page: '/clients/import/:id', at: ({ imports }) => `/clients/import/${imports.preview}`, as: 'full' },
  { name: 'import-no-room', page: '/clients/import/:id', at: ({ imports }) => `/clients/import/${imports.noRoom}`, as: 'limited' },
  { name: 'import-running', page: '/clients/import/:id', at: ({ imports }) => `/clients/import/${imports.running}`, as: 'full' },
  { name: 'import-done', page: '/clients/import/:id', at: ({ imports }) => `/clients/import/${imports.done}`, as: 'full' },
  { name: 'import-missing', page: '/clients/import/:id', at: '/clients/import/999999999', as: 'full', status: 404 },
  { name: 'client-gone', page: '/clients', at: '/clients?dialog=delete&client=999999999', as: 'full' },
  { name: 'client-delete', page: '/clients', at: ({ client }) => `/clients?page=2&dialog=delete&client=${client}`, as: 'full' },
]

const billingScreens: Screen[] = [
  { name: 'products', page: '/products', at: '/products', as: 'full' },
  { name: 'products-empty', page: '/products', at: '/products', as: 'newcomer' },
  { name: 'product-menu', page: '/products', at: '/products', as: 'full', then: (page) => page.getByRole('button', { name: /^Actions for / }).first().click() },
  { name: 'product-add', page: '/products', at: '/products?dialog=add', as: 'full' },
  { name: 'product-add-refused', page: '/products', at: '/products?dialog=add', as: 'full', then: refuseProduct },
  { name: 'product-edit', page: '/products', at: ({ product }) => `/products?dialog=edit&product=${product}`, as: 'full' },
  { name: 'product-delete', page: '/products', at: ({ product }) => `/products?dialog=delete&product=${product}`, as: 'full' },
  { name: 'product-gone', page: '/products', at: '/products?dialog=edit&product=999999999', as: 'full' },
  { name: 'client-purchases', page: '/clients/:id/purchases', at: ({ client }) => `/clients/${client}/purchases`, as: 'full' },
  { name: 'client-purchases-empty', page: '/clients/:id/purchases', at: ({ long }) => `/clients/${long}/purchases`, as: 'full' },
  { name: 'client-purchases-missing', page: '/clients/:id/purchases', at: '/clients/999999999/purchases', as: 'full', status: 404 },
  { name: 'purchase-record', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=purchase`, as: 'full' },
  { name: 'purchase-record-long', page: '/clients', at: ({ long }) => `/clients?page=2&dialog=purchase&client=${long}`, as: 'full' },
  { name: 'purchase-record-refused', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=purchase`, as: 'full', then: refusePurchase },
  { name: 'purchase-record-nothing', page: '/clients/:id/purchases', at: ({ only }) => `/clients/${only}/purchases?dialog=purchase`, as: 'limited' },
  { name: 'purchases', page: '/purchases', at: '/purchases', as: 'full' },
  { name: 'purchases-failed', page: '/purchases', at: '/dashboard', as: 'full', then: (page) => failingLoad(page, '/purchases', 'Failed to fetch purchases'), complains: unreadable },
  { name: 'purchases-empty', page: '/purchases', at: '/purchases', as: 'newcomer' },
  { name: 'purchases-nothing-found', page: '/purchases', at: '/purchases?q=zzzz&month=2001-01&status=failed', as: 'full' },
  { name: 'sale', page: '/purchases', at: '/purchases?dialog=record', as: 'full' },
  { name: 'sale-found', page: '/purchases', at: '/purchases?dialog=record&who=grace', as: 'full' },
  { name: 'sale-nobody', page: '/purchases', at: '/purchases?dialog=record&who=zzzz', as: 'full' },
  { name: 'sale-refused', page: '/purchases', at: '/purchases?dialog=record', as: 'full', then: refuseSale },
  { name: 'purchase-edit', page: '/purchases', at: ({ purchase }) => `/purchases?dialog=edit-purchase&purchase=${purchase}`, as: 'full' },
  { name: 'purchase-history', page: '/history/purchase/:id', at: ({ purchase }) => `/history/purchase/${purchase}`, as: 'full' },
  { name: 'product-history', page: '/history/product/:id', at: ({ product }) => `/history/product/${product}`, as: 'full' },
  { name: 'purchase-gone', page: '/purchases', at: '/purchases?dialog=edit-purchase&purchase=999999999', as: 'full' },
]

const pipelineScreens: Screen[] = [
  { name: 'pipeline', page: '/pipeline', at: '/pipeline', as: 'full' },
  { name: 'pipeline-empty', page: '/pipeline', at: '/pipeline', as: 'newcomer' },
  { name: 'pipeline-filtered', page: '/pipeline', at: '/pipeline?likely=50&followup=overdue', as: 'full' },
  { name: 'pipeline-nothing-found', page: '/pipeline', at: '/pipeline?q=zzzz', as: 'full' },
  { name: 'pipeline-card-menu', page: '/pipeline', at: '/pipeline', as: 'full', then: (page) => page.getByRole('button', { name: 'Actions for Leila Haddad' }).click() },
  { name: 'pipeline-stage-menu', page: '/pipeline', at: '/pipeline', as: 'full', then: (page) => page.getByRole('button', { name: 'Actions for Lead' }).click() },
  { name: 'pipeline-lifted', page: '/pipeline', at: '/pipeline', as: 'full', then: liftCard },
  { name: 'pipeline-refused', page: '/pipeline', at: '/pipeline', as: 'full', then: refuseMove },
  { name: 'prospect-add', page: '/pipeline', at: '/pipeline?dialog=add', as: 'full' },
  { name: 'prospect-add-refused', page: '/pipeline', at: '/pipeline?dialog=add', as: 'full', then: refuseProspect },
  { name: 'prospect-edit', page: '/pipeline', at: ({ prospect }) => `/pipeline?dialog=edit&prospect=${prospect}`, as: 'full' },
  { name: 'prospect-edit-long', page: '/pipeline', at: ({ longProspect }) => `/pipeline?dialog=edit&prospect=${longProspect}`, as: 'full' },
  { name: 'prospect-delete', page: '/pipeline', at: ({ longProspect }) => `/pipeline?dialog=delete&prospect=${longProspect}`, as: 'full' },
  { name: 'prospect-gone', page: '/pipeline', at: '/pipeline?dialog=edit&prospect=999999999', as: 'full' },
  { name: 'prospect-converted', page: '/pipeline', at: ({ converted }) => `/pipeline?dialog=edit&prospect=${converted}`, as: 'full' },
  { name: 'prospect-history', page: '/history/prospect/:id', at: ({ prospect }) => `/history/prospect/${prospect}`, as: 'full' },
  { name: 'stage-add', page: '/pipeline', at: '/pipeline?dialog=add-stage', as: 'full' },
  { name: 'stage-edit', page: '/pipeline', at: ({ emptyStage }) => `/pipeline?dialog=edit-stage&stage=${emptyStage}`, as: 'full' },
  { name: 'stage-delete', page: '/pipeline', at: ({ stage }) => `/pipeline?dialog=delete-stage&stage=${stage}`, as: 'full' },
  { name: 'stage-delete-empty', page: '/pipeline', at: ({ emptyStage }) => `/pipeline?dialog=delete-stage&stage=${emptyStage}`, as: 'full' },
  { name: 'stage-gone', page: '/pipeline', at: '/pipeline?dialog=edit-stage&stage=999999999', as: 'full' },
  { name: 'stage-history', page: '/history/pipeline_stage/:id', at: ({ stage }) => `/history/pipeline_stage/${stage}`, as: 'full' },
]

const calendarScreens: Screen[] = [
  { name: 'calendar', page: '/calendar', at: '/calendar', as: 'full' },
  { name: 'calendar-empty', page: '/calendar', at: '/calendar', as: 'newcomer' },
  { name: 'calendar-week', page: '/calendar', at: '/calendar?view=week', as: 'full' },
  { name: 'calendar-day-of-client', page: '/calendar', at: ({ client }) => `/calendar?view=day&client=${client}&without=cancelled`, as: 'full' },
  { name: 'appointment-schedule-refused', page: '/calendar', at: '/calendar?dialog=schedule', as: 'full', then: (page) => page.getByRole('button', { name: 'Schedule', exact: true }).click().then(() => page.getByText('Missing Information').waitFor()) },
  { name: 'appointment', page: '/calendar', at: ({ longSession }) => `/calendar?dialog=appointment&appointment=${longSession}`, as: 'full' },
  { name: 'appointment-edit', page: '/calendar', at: ({ longSession }) => `/calendar?dialog=edit-appointment&appointment=${longSession}`, as: 'full' },
  { name: 'appointment-complete', page: '/calendar', at: ({ session }) => `/calendar?dialog=complete&appointment=${session}`, as: 'full' },
  { name: 'appointment-gone', page: '/calendar', at: '/calendar?dialog=appointment&appointment=999999999', as: 'full' },
  { name: 'appointment-history', page: '/history/appointment/:id', at: ({ session }) => `/history/appointment/${session}`, as: 'full' },
  { name: 'appointment-type-add', page: '/settings', at: '/settings?dialog=add-type', as: 'full' },
  { name: 'appointment-type-delete', page: '/settings', at: ({ sessionType }) => `/settings?dialog=delete-type&type=${sessionType}`, as: 'full' },
  { name: 'appointment-type-history', page: '/history/appointment_type/:id', at: ({ sessionType }) => `/history/appointment_type/${sessionType}`, as: 'full' },
  { name: 'client-schedule', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=schedule`, as: 'full' },
]

const adminScreens: Screen[] = [
  { name: 'admin', page: '/admin', at: '/admin', as: 'admin' },
  { name: 'admin-nobody', page: '/admin', at: '/admin?q=zzzz', as: 'admin' },
  { name: 'admin-add', page: '/admin', at: '/admin?dialog=add', as: 'admin' },
  { name: 'admin-row-menu', page: '/admin', at: '/admin', as: 'admin', then: (page) => page.getByRole('button', { name: /^Actions for / }).first().click() },
]

/** Every screen, dialog and state that is looked at. */
export const screens: Screen[] = [...visitorScreens, ...shellScreens, ...clientScreens, ...billingScreens, ...pipelineScreens, ...calendarScreens, ...adminScreens]

let world: Promise<World> | undefined

/** Made once in each worker: the screens only look. */
export function worldOf(house: House): Promise<World> {
  return (world ??= makeWorld(house))
}

const primaryColor = '#0f766e'

async function makeWorld(house: House): Promise<World> {
  const look: Wanted = { primaryColor, businessName: 'Winter Coaching', bio: 'I work with people in the middle of a career.\n\nWe begin with what your days look like.' }
  const long = `Wolfeschlegelsteinhausenbergerdorff${'welche vor altern waren gewissenhaft schafers'.replaceAll(' ', '')}`
  const full = await house.aCoach({
    ...look,
    ownHost: true,
    clients: [
      { name: 'Put Away' }, { name: 'Thrown Away' },
      ...Array.from({ length: 60 }, (_, at) => ({ name: `Client Number ${at + 1}`, progress: at, status: clientStatuses[at % 4] })),
      { name: long, email: `${'long'.repeat(16)}@${'host'.repeat(15)}.${'domain'.repeat(10)}.example`, goals: 'unbreakable'.repeat(60), location: long, profession: long, phone: '+1 555 0100 ext. 99999999999999999999', notes: long.repeat(20) },
      { name: 'Grace Hopper', phone: '+1 555 0100', location: 'New York', profession: 'Admiral', program: 'Career Transition', timezone: 'America/New_York', progress: 60, goals: 'Write a **book**.\n• one chapter a week', notes: '## First session\nShe talks in *nanoseconds*.', futureGoals: 'Teach', frustrations: 'Meetings', fears: 'Boredom', failures: 'None that count' },
    ],
  })
  const limited = await house.aCoach({ ...look, plan: 'free', ownHost: true, clients: [{ name: 'Only One' }] })
  const clients = await clientsOf(full)
  const idOf = (name: string) => clients.find((client) => client.name === name)!.id
  const [archived, trashed] = [idOf('Put Away'), idOf('Thrown Away')]
  await full.write((ctx) => archiveClient(ctx, archived))
  await full.write((ctx) => deleteClient(ctx, trashed))
  return {
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
    ...(await appointments(full, idOf('Grace Hopper'), idOf(long), long)),
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
}

/** A few products and purchases: the first product, and the purchase with the longest texts. */
async function sales(coach: Coach, clientId: number, long: string): Promise<{ product: number; purchase: number }> {
  return coach.write(async (ctx) => {
    const product = await addProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00', description: 'Six sessions.', paymentType: 'installment', installmentCount: 3 }))
    const second = await addProduct(ctx, NewProduct.parse({ name: long, price: '99999999.99', description: long.repeat(5), isActive: false }))
    let purchase = 0
    for (const status of purchaseStatuses) {
      const sold = status === 'failed' ? { productId: second.id, amount: 9_999_999_999, notes: long } : { productId: product.id, amount: 96_000 }
      const { id } = await recordPurchase(ctx, NewPurchase.parse({ clientId, status, paymentMethod: 'cash', ...sold }))
      if (status === 'failed') purchase = id
    }
    return { product: product.id, purchase }
  })
}

/** Contacts of several kinds; answers the id of one. */
async function interactions(coach: Coach, clientId: number, long: string): Promise<number> {
  return coach.write(async (ctx) => {
    const add = (name: string, content: string | null, day: string, source = 'manual') =>
      addInteraction(ctx, clientId, NewInteraction.parse({ name, content, interactionDate: `${day}T17:00:00Z` }), { source })
    await add('Reminder sent', null, '2026-03-05', 'system_notification')
    await add(long, long.repeat(5), '2026-02-01')
    await add('Sent the values exercise', null, '2026-02-19')
    await add('Session 5 summary', '## Key takeaways\n• Named the pattern of waiting\n• Agreed to draft the letter', '2026-03-03', 'zoom')
    const { id } = await add('Short call before the interview', 'Ten minutes. Nervous about the **salary question**; rehearsed the ==pause==.', '2026-02-26')
    return id
  })
}

async function prospects(coach: Coach, long: string): Promise<Pick<World, 'prospect' | 'longProspect' | 'converted' | 'stage' | 'emptyStage'>> {
  return coach.write(async (ctx) => {
    const add = (prospect: object) => addProspect(ctx, NewProspect.parse({ stageId: 'lead', ...prospect }))
    for (let at = 1; at <= 12; at++) await add({ name: `Prospect Number ${at}`, value: at * 12_345, probability: at * 8, nextFollowUp: new Date(Date.now() + (at - 4) * 86_400_000).toISOString(), source: `Source ${at % 3}` })
    const full = await add({
      name: 'Leila Haddad', email: 'leila@example.com', phone: '+1 555 0100', company: 'Saffron Table', title: 'Founder', location: 'Brooklyn', profession: 'Cook', timezone: 'America/New_York',
      value: 360_000, probability: 40, source: 'Referral', notes: 'Sleeps **four** hours.\n• Call before ten', futureGoals: 'One day off', frustrations: 'Suppliers', fears: 'The second one', failures: 'None that count',
    })
    await editProspect(ctx, full.id, { stageId: 'qualified', probability: 55 })
    const longest = await add({ stageId: 'closed_won', name: long, email: `${'long'.repeat(16)}@${'host'.repeat(15)}.example`, company: long, title: long, source: long, value: 9_999_999_999, probability: 100, notes: long.repeat(20) })
    const converted = await add({ name: 'Henrik Dalgaard', email: 'henrik@example.com' })
    await convertProspect(ctx, converted.id)
    const stage = await addStage(ctx, NewStage.parse({ name: long }))
    return { prospect: full.id, longProspect: longest.id, converted: converted.id, stage: (await prospectOf(ctx, full.id)).stageId, emptyStage: stage.id }
  })
}

/** A day with more than a cell of the month holds, some of them at the same time. */
async function appointments(coach: Coach, client: number, longClient: number, long: string): Promise<Pick<World, 'session' | 'longSession' | 'sessionType'>> {
  const hour = 3_600_000
  return coach.write(async (ctx) => {
    const type = await addType(ctx, { name: 'Coaching' })
    const longType = await addType(ctx, { name: long })
    const add = (title: string, ahead: number, more: object = {}) =>
      addAppointment(ctx, NewAppointment.parse({ title, clientId: client, startTime: new Date(Date.now() + ahead).toISOString(), endTime: new Date(Date.now() + ahead + hour).toISOString(), appointmentTypeId: type.id, ...more }))
    const session = await add('Session 5', -hour / 4, { meetingUrl: 'https://meet.example.com/winter' })
    for (const [nth, status] of (['completed', 'cancelled', 'confirmed', 'scheduled'] as const).entries()) await add(`Session ${nth + 1}`, (nth - 3) * hour, { status })
    const longest = await add(long, hour / 2, { clientId: longClient, appointmentTypeId: longType.id, description: long.repeat(5), meetingUrl: `https://meet.example.com/${long}`, status: 'confirmed' })
    return { session: session.id, longSession: longest.id, sessionType: type.id }
  })
}

/** Rows to add, one that is there already, and some to correct. */
const mixed = ['Name,Email', 'New One,new.one@example.com', `${'Long'.repeat(50)},long.one@example.com`, 'Grace Hopper,grace.hopper@example.com', 'Broken,not an address', ',nameless@example.com', ''].join('\n')

async function anImport(coach: Coach, csv: string): Promise<number> {
  return startImport(await coach.ctx(), { name: 'A list of people that somebody kept for years.csv', content: Buffer.from(csv) })
}

async function stalledImport(coach: Coach): Promise<number> {
  const id = await anImport(coach, mixed)
  await coach.write((ctx) => ctx.rows({ name: 'e2e.stalled', text: `update client_import set status = 'running', updated_at = now() - interval '1 hour' where id = $1`, values: [id] }))
  return id
}

async function doneImport({ platform }: House, coach: Coach): Promise<number> {
  const id = await anImport(coach, 'Name,Email\nBroken,not an address\nGrace Hopper,grace.hopper@example.com\n')
  await coach.write((ctx) => runImport(ctx, id))
  await importJob(platform, { coachId: coach.id, importId: id })
  return id
}

type Shown = { complaints: Complaints; viewport?: Size; dark?: boolean }

/** Opens a screen as the one whom it is for, without movement. */
export async function show(browser: Browser, screen: Screen, world: World, { complaints, viewport = sizesOf(screen)[0]!, dark = false }: Shown): Promise<Page> {
  const page = await (await visitorOf(browser, screen, world)).newPage()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  complaints.watch(page)
  const answer = await page.goto(typeof screen.at === 'string' ? screen.at : screen.at(world))
  expect(answer?.status(), `${screen.name} answers`).toBe(screen.status ?? 200)
  await hydrated(page)
  await screen.then?.(page)
  return page
}

const visitors = new Map<string, Promise<BrowserContext>>()

/** One for each person and host in each worker, signed in: what was fetched for one screen needn't be fetched for the next. */
function visitorOf(browser: Browser, { as, own }: Screen, world: World): Promise<BrowserContext> {
  const origin = own ? world[own].origin : world.newcomer.origin
  const key = `${as} ${origin}`
  const visitor = visitors.get(key) ?? open()
  visitors.set(key, visitor)
  return visitor

  async function open(): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en-US', baseURL: origin, reducedMotion: 'reduce', timezoneId: 'America/New_York' })
    if (as !== 'visitor') await world[as].signIn(context, { origin })
    return context
  }
}

/** Shows a screen in each of its sizes. A menu closes when its window changes, so what was opened by hand is opened again. */
export async function showInSizes(browser: Browser, screen: Screen, world: World, shown: Shown, look: (page: Page, size: Size) => Promise<void>): Promise<void> {
  let page = await show(browser, screen, world, shown)
  for (const [at, size] of sizesOf(screen).entries()) {
    if (at && screen.then) {
      await page.close()
      page = await show(browser, screen, world, { ...shown, viewport: size })
    }
    await page.setViewportSize(size)
    await look(page, size)
  }
  await page.close()
}

function sizesOf({ only }: Screen): Size[] {
  return only === 'phone' ? [phone] : only === 'wide' ? [wide] : [wide, phone]
}

async function refuseSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText('Login failed').waitFor()
}

async function refuseRegistration(page: Page): Promise<void> {
  for (const label of ['First name', 'Last name']) await page.getByLabel(label).fill('  ')
  await page.getByLabel('Email').fill('ada@nowhere')
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('First name is required').waitFor()
}

async function refuseProfile(page: Page): Promise<void> {
  await page.getByLabel('Business name').fill('   ')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByText('Business name is required').waitFor()
}

async function refuseBranding(page: Page): Promise<void> {
  await page.getByLabel('Web address').fill('Not Possible!')
  await page.getByLabel('Hex value').fill('grey')
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await page.getByText('Use 3 to 40 of').waitFor()
}

async function refuseClient(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function refuseProduct(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Price').fill('much')
  await dialog.getByRole('button', { name: 'Add Product' }).or(dialog.getByRole('button', { name: 'Create Product' })).click()
  await dialog.getByText('Name is required').waitFor()
}

async function refusePurchase(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Record Purchase' }).click()
  await page.getByText('Please select a product').waitFor()
}

async function refuseSale(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Record Purchase' }).click()
  await page.getByText('Product is required').waitFor()
}

async function refuseEdit(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function refuseSave(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('   ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name is required').waitFor()
}

async function refuseInteraction(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('   ')
  await dialog.getByRole('button', { name: 'Add Interaction' }).click()
  await dialog.getByText('Title is required').waitFor()
}

/** Saves the same client in a second tab, then here. */
async function saveMeanwhile(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await hydrated(other)
  const mark = String(Date.now())
  for (const [tab, location] of [[other, `Boston ${mark}`], [page, 'New York, after all']] as const) {
    await tab.getByLabel('Location').fill(location)
    await tab.getByRole('textbox', { name: 'Fears' }).fill(`${location} has too many meetings`)
    await tab.getByRole('button', { name: 'Save', exact: true }).click()
    if (tab === other) await other.getByText('Client changes saved successfully.').waitFor()
  }
  await other.close()
  await page.getByText('was saved in another tab meanwhile').waitFor()
}

async function liftCard(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Leila Haddad', exact: true }).focus()
  const said = page.locator('[id^="DndLiveRegion"]')
  await page.keyboard.press('Space')
  await said.filter({ hasText: 'is picked up' }).waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await said.filter({ hasText: 'is over Proposal' }).waitFor({ state: 'attached' })
}

async function refuseMove(page: Page): Promise<void> {
  await page.route('**/api/prospects/*', (route) => route.fulfill({ status: 409, json: { message: 'no' } }))
  await liftCard(page)
  await page.keyboard.press('Space')
  await page.getByText('Failed to update prospect: 409 - no').waitFor()
}

async function refuseProspect(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByLabel('Value').fill('much')
  await dialog.getByRole('button', { name: 'Add Prospect' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).filter({ visible: true }).first().click()
  await page.getByRole('link', { name: 'Settings' }).filter({ visible: true }).last().waitFor()
}

async function palette(page: Page, term: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill(term)
  await dialog.getByRole('status').filter({ hasText: /result/ }).waitFor()
}

async function failingSearch(page: Page): Promise<void> {
  await page.route('**/api/search*', (route) => route.fulfill({ status: 429, json: { message: 'no' } }))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('client')
  await page.getByText('so it shows nothing').waitFor()
}

/** Goes on in the browser to a page whose loader gets no answer that can be read. */
async function failingLoad(page: Page, to: string, title: string): Promise<void> {
  await page.route(`**${to}.data*`, (route) => route.fulfill({ status: 429, body: 'no' }))
  await page.evaluate((address) => window.__remixRouter.navigate(address), to)
  await page.getByText(title).first().waitFor()
}

async function sidebarSearch(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search' }).fill('client')
  await page.getByRole('option').first().waitFor()
}
