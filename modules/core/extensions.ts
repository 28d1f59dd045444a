import type { ClientRecords } from './client-records.ts'
import type { ClientSignIn } from './client-sign-in.ts'
import type {
  CountName,
  CountQuery,
  EraseCtx,
  ErasePart,
  Job,
  ModuleExport,
  ModuleManifest,
  NavItem,
  OnlineSales,
  ProspectDirectory,
  RecordingSource,
  RecordKind,
  SearchProvider,
  SessionTasks,
} from './manifest.ts'
import type { ProgramPart } from './program-parts.ts'
import type { PermissionName, WriteCtx } from '#tenants/context.ts'
import type { Extensions, TenantTransaction } from '#tenants/platform.ts'
import type { AutomationAction, AutomationTrigger } from './automations.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { EventRecorder, PublishedEvent, Subscriber } from './events.ts'
import type { FileSharing } from './file-sharing.ts'
import type { HookImplementation } from './hooks.ts'
import type { Metric } from './metrics.ts'
import type { RegisteredNotification } from './notifications.ts'
import type { SupportAccess } from './support-access.ts'
import type { RegisteredContribution } from './slots.ts'

declare module '#tenants/platform.ts' {
  /**
   * Everything that modules register. Composed once at start and reached through every `ctx`: no module imports the
   * registry.
   */
  interface Extensions {
    modules: ModuleInfo[]
    subscribers: Subscriber[]
    publishedEvents: PublishedEvent[]
    notifications: RegisteredNotification[]
    eventRecorders: EventRecorder[]
    hooks: HookImplementation[]
    contributions: RegisteredContribution[]
    navItems: NavItem[]
    counts: [CountName, CountQuery][]
    searchProviders: SearchProvider[]
    /** Parents before the records that belong to them. */
    recordKinds: RecordKind[]
    prospects: ProspectDirectory | null
    onlineSales: OnlineSales | null
    recordingSources: RecordingSource[]
    sessionTasks: SessionTasks | null
    fileSharing: FileSharing | null
    programParts: ProgramPart[]
    clientSignIn: ClientSignIn | null
    supportAccess: SupportAccess | null
    deliveryLog: DeliveryLog | null
    metrics: Metric[]
    automationTriggers: AutomationTrigger[]
    automationActions: AutomationAction[]
    /** Also of modules that are switched off. */
    clientRecords: ClientRecords[]
    eraseParts: ErasePart[]
    buyerPermissions: PermissionName[]
    jobs: JobInfo[]
    /** Also of modules that are switched off. */
    domainSessionEnders: ((tx: TenantTransaction, coachId: number) => Promise<void>)[]
    accountClosers: ((ctx: WriteCtx) => Promise<void>)[]
    accountErasers: ((ctx: EraseCtx) => Promise<void>)[]
    practiceExports: ModuleExport[]
  }
}

/** A queue of a module. */
export type JobInfo = Pick<Job, 'name' | 'kind'>

/** A module, as lists of modules show it. */
export type ModuleInfo = { id: string; title: string; dependsOn: string[]; isSwitchable: boolean }

/** Composes what modules register, and remembers it for each set of modules that are switched off. */
export function composeExtensions(modules: ModuleManifest[]): Extensions {
  const composed = new Map<string, Extensions>()
  const all: Extensions = { ...compose(modules, modules), without }
  return all

  function without(modulesOff: string[]): Extensions {
    if (!modulesOff.length) return all
    const key = modulesOff.join(' ')
    const known = composed.get(key)
    if (known) return known
    const off = listSwitchedOff(all.modules, modulesOff)
    const on = modules.filter(({ id }) => !off.includes(id))
    const extensions = { ...compose(modules, on), without }
    composed.set(key, extensions)
    return extensions
  }
}

/** The modules of `modulesOff` that can be switched off, and those that depend on them. In the order of `modules`. */
export function listSwitchedOff(modules: ModuleInfo[], modulesOff: string[]): string[] {
  const off: string[] = []
  for (const { id, dependsOn, isSwitchable } of modules)
    if (isSwitchable && (modulesOff.includes(id) || dependsOn.some((needed) => off.includes(needed)))) off.push(id)
  return off
}

/** A module and all that it depends on. */
export function listNeeded(modules: ModuleInfo[], id: string): string[] {
  const dependsOn = modules.find((module) => module.id === id)?.dependsOn ?? []
  return [...new Set([id, ...dependsOn.flatMap((needed) => listNeeded(modules, needed))])]
}

/** `all` have a part in keeping data that `modules` don't show: in erasing, closing and exporting it. */
function compose(all: ModuleManifest[], modules: ModuleManifest[]): Omit<Extensions, 'without'> {
  const isOff = ({ id }: ModuleManifest) => !modules.some((module) => module.id === id)
  const keepsData = (module: ModuleManifest) => (part: { keepsData?: boolean }) => part.keepsData || !isOff(module)
  return {
    modules: modules.map(toModuleInfo),
    subscribers: all.flatMap((module) => (module.subscribers ?? []).filter(keepsData(module))),
    publishedEvents: modules.flatMap(({ publishedEvents = [] }) => publishedEvents),
    notifications: modules.flatMap(({ notifications = [], ...module }) =>
      notifications.map((own) => ({ ...own, group: toModuleInfo(module).title })),
    ),
    eventRecorders: modules.flatMap(({ recordEvents }) => recordEvents ?? []),
    hooks: all.flatMap((module) => (module.hooks ?? []).filter(keepsData(module))),
    contributions: all.flatMap((module) =>
      (module.contributions ?? [])
        .filter(({ ofPlan }) => ofPlan || !isOff(module))
        .map((own) => ({ ...own, module: module.id })),
    ),
    navItems: modules.flatMap(({ nav = [] }) => nav),
    counts: modules.flatMap(({ counts = {} }) => Object.entries(counts) as [CountName, CountQuery][]),
    searchProviders: modules.flatMap(({ search = [] }) => search),
    recordKinds: modules.flatMap(({ recordKinds = [] }) => recordKinds),
    prospects: modules.find(({ prospects }) => prospects)?.prospects ?? null,
    onlineSales: modules.find(({ onlineSales }) => onlineSales)?.onlineSales ?? null,
    recordingSources: modules.flatMap(({ recordingSource }) => recordingSource ?? []),
    sessionTasks: modules.find(({ sessionTasks }) => sessionTasks)?.sessionTasks ?? null,
    fileSharing: modules.find(({ fileSharing }) => fileSharing)?.fileSharing ?? null,
    programParts: modules.flatMap(({ programPart }) => programPart ?? []),
    clientSignIn: modules.find(({ clientSignIn }) => clientSignIn)?.clientSignIn ?? null,
    supportAccess: modules.find(({ supportAccess }) => supportAccess)?.supportAccess ?? null,
    deliveryLog: modules.find(({ deliveryLog }) => deliveryLog)?.deliveryLog ?? null,
    metrics: modules.flatMap(({ metrics = [] }) => metrics),
    automationTriggers: modules.flatMap(({ automationTriggers = [] }) => automationTriggers).toSorted(byOrder),
    automationActions: modules.flatMap(({ automationActions = [] }) => automationActions).toSorted(byOrder),
    clientRecords: all.flatMap(({ clientRecords = [] }) => clientRecords),
    eraseParts: all.flatMap(({ beforeErase = [] }) => beforeErase),
    buyerPermissions: all.flatMap(({ buyerPermissions = [] }) => buyerPermissions),
    jobs: all.flatMap(({ jobs = [] }) => jobs.map(({ name, kind }) => ({ name, kind }))),
    domainSessionEnders: all.flatMap(({ endDomainSessions }) => endDomainSessions ?? []),
    accountClosers: all.flatMap(({ closeAccount }) => closeAccount ?? []),
    accountErasers: all.flatMap(({ eraseAccount }) => eraseAccount ?? []),
    practiceExports: all.flatMap(({ practiceExport }) => practiceExport ?? []),
    userColumns: all.flatMap(({ userColumns }) => userColumns ?? []),
  }
}

const byOrder = (a: { order: number }, b: { order: number }): number => a.order - b.order

export const toModuleInfo = ({ id, title, dependsOn = [], isSwitchable = true }: ModuleManifest): ModuleInfo => ({
  id,
  title: title ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
  dependsOn,
  isSwitchable,
})
