import type {
  ClientSignIn,
  CountName,
  CountQuery,
  EraseCtx,
  ErasePart,
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
import type { PermissionName, WriteCtx } from '#tenants/context.ts'
import type { Subscriber } from './events.ts'
import type { HookImplementation } from './hooks.ts'
import type { Metric } from './metrics.ts'
import type { RegisteredContribution } from './slots.ts'

declare module '#tenants/platform.ts' {
  /**
   * Everything that modules register. Composed once at start and reached through every `ctx`: no module imports the
   * registry.
   */
  interface Extensions {
    subscribers: Subscriber[]
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
    clientSignIn: ClientSignIn | null
    metrics: Metric[]
    eraseParts: ErasePart[]
    buyerPermissions: PermissionName[]
    accountClosers: ((ctx: WriteCtx) => Promise<void>)[]
    accountErasers: ((ctx: EraseCtx) => Promise<void>)[]
    practiceExports: ModuleExport[]
  }
}

export function composeExtensions(modules: ModuleManifest[]) {
  return {
    subscribers: modules.flatMap(({ subscribers = [] }) => subscribers),
    hooks: modules.flatMap(({ hooks = [] }) => hooks),
    contributions: modules.flatMap(({ id, contributions = [] }) =>
      contributions.map((own) => ({ ...own, module: id })),
    ),
    navItems: modules.flatMap(({ nav = [] }) => nav),
    counts: modules.flatMap(({ counts = {} }) => Object.entries(counts) as [CountName, CountQuery][]),
    searchProviders: modules.flatMap(({ search = [] }) => search),
    recordKinds: modules.flatMap(({ recordKinds = [] }) => recordKinds),
    prospects: modules.find(({ prospects }) => prospects)?.prospects ?? null,
    onlineSales: modules.find(({ onlineSales }) => onlineSales)?.onlineSales ?? null,
    recordingSources: modules.flatMap(({ recordingSource }) => recordingSource ?? []),
    sessionTasks: modules.find(({ sessionTasks }) => sessionTasks)?.sessionTasks ?? null,
    clientSignIn: modules.find(({ clientSignIn }) => clientSignIn)?.clientSignIn ?? null,
    metrics: modules.flatMap(({ metrics = [] }) => metrics),
    eraseParts: modules.flatMap(({ beforeErase = [] }) => beforeErase),
    buyerPermissions: modules.flatMap(({ buyerPermissions = [] }) => buyerPermissions),
    accountClosers: modules.flatMap(({ closeAccount }) => closeAccount ?? []),
    accountErasers: modules.flatMap(({ eraseAccount }) => eraseAccount ?? []),
    practiceExports: modules.flatMap(({ practiceExport }) => practiceExport ?? []),
    userColumns: modules.flatMap(({ userColumns }) => userColumns ?? []),
  }
}
