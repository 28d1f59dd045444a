import type { Entity } from '#db/orm.ts'
import type { NewAccountStep } from '#tenants/platform.ts'
import admin from './admin/module.ts'
import analytics from './analytics/module.ts'
import automations from './automations/module.ts'
import billing from './billing/module.ts'
import contracts from './contracts/module.ts'
import { composeExtensions, toModuleInfo } from './core/extensions.ts'
import type { ModuleManifest } from './core/manifest.ts'
import { validateManifests } from './core/validate-manifests.ts'
import crm from './crm/module.ts'
import forms from './forms/module.ts'
import google from './google/module.ts'
import hours from './hours/module.ts'
import messages from './messages/module.ts'
import pipeline from './pipeline/module.ts'
import portal from './portal/module.ts'
import programs from './programs/module.ts'
import publicPage from './public-page/module.ts'
import resources from './resources/module.ts'
import scheduling from './scheduling/module.ts'
import stripe from './stripe/module.ts'
import summaries from './summaries/module.ts'
import tasks from './tasks/module.ts'
import webhooks from './webhooks/module.ts'
import zoom from './zoom/module.ts'

/** The list of modules: a module is a folder and a line here, after the modules that it depends on. */
export const modules: ModuleManifest[] = [
  crm,
  billing,
  pipeline,
  portal,
  scheduling,
  google,
  stripe,
  summaries,
  zoom,
  admin,
  resources,
  tasks,
  forms,
  contracts,
  analytics,
  messages,
  programs,
  webhooks,
  automations,
  hours,
  publicPage,
]

const [problem] = validateManifests(modules)
if (problem) throw new Error(problem)

export const extensions = composeExtensions(modules)

/** The modules of pages, by the id of the route: see app/routes.ts. */
export const routeModules = new Map(
  modules.flatMap((module) => {
    const { id, routes = [], recordKinds = [] } = module
    const ids = [
      ...routes.filter(({ ofPlan }) => !ofPlan).map(({ file }) => `${id}/${file}`),
      ...recordKinds.map(({ kind }) => `history/${kind}`),
    ]
    return ids.map((routeId) => [routeId, toModuleInfo(module)] as const)
  }),
)

/** The pages, by the id of the route, that an administrator on a visit can't open. */
export const privateRoutes = new Set([
  ...['account', 'api-keys', 'closed', 'export', 'export-download', 'security'].map((name) => `routes/${name}`),
  ...modules.flatMap(({ id, routes = [] }) =>
    routes.filter(({ isPrivate }) => isPrivate).map(({ file }) => `${id}/${file}`),
  ),
])

/** Referenced tables before those that refer to them. */
export const moduleEntities: Entity[] = modules.flatMap((module) => module.entities)

/** Creates the rows that a new account starts with, in the account's transaction. */
export const newAccount: NewAccountStep = async (tx, coachId, now) => {
  for (const module of modules) await module.newAccount?.(tx, coachId, now)
}
