// Imports point one way: app/ui, app/lib <- db <- tenants <- modules <- the shell (README.md);
// tests/start/import-rules.test.ts shows that each rule can fail.
const beyond = (path, pathNot) => ({ path, ...(pathNot ? { pathNot } : {}) })
const kit = '^app/(ui|lib)/'
const code = { pathNot: '\\.test\\.tsx?$|^modules/[^/]+/e2e/' }

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-missing-files', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'lib-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^app/lib/', ...code },
      to: beyond('^(db|tenants|modules|app|scripts)/', '^app/lib/'),
    },
    {
      name: 'ui-imports-lib-only',
      severity: 'error',
      from: { path: '^app/ui/', ...code },
      to: beyond('^(db|tenants|modules|app|scripts)/', kit),
    },
    {
      name: 'db-is-the-floor',
      severity: 'error',
      from: { path: '^db/', ...code },
      to: beyond('^(tenants|modules|app|scripts)/', '^app/lib/'),
    },
    {
      name: 'tenants-below-modules',
      severity: 'error',
      from: { path: '^tenants/', ...code },
      to: beyond('^(modules|app|scripts)/', '^app/lib/'),
    },
    {
      name: 'modules-do-not-know-the-shell',
      severity: 'error',
      from: { path: '^modules/', ...code },
      to: beyond('^(app|scripts)/', kit),
    },
    {
      name: 'other-modules-through-index',
      severity: 'error',
      from: { path: '^modules/([^/]+)/', ...code },
      to: beyond('^modules/[^/]+/', '^modules/($1/|core/|[^/]+/index\\.ts$)'),
    },
    {
      name: 'core-knows-no-module',
      severity: 'error',
      from: { path: '^modules/core/', ...code },
      to: beyond('^modules/', '^modules/core/'),
    },
    {
      name: 'registry-reads-manifests-only',
      severity: 'error',
      from: { path: '^modules/[^/]+\\.ts$', ...code },
      to: beyond('^modules/[^/]+/', '^modules/(core/|[^/]+/module\\.ts$)'),
    },
    {
      name: 'modules-do-not-import-the-registry',
      comment: 'Slots, events and hooks come with the context.',
      severity: 'error',
      from: { path: '^modules/[^/]+/', ...code },
      to: { path: '^modules/registry\\.ts$' },
    },
    {
      name: 'shell-knows-the-registry-only',
      severity: 'error',
      from: { path: '^app/', ...code },
      to: beyond('^modules/[^/]+/', '^modules/(core/|[^/]+/index\\.ts$)'),
    },
    {
      name: 'thin-routes',
      comment: 'A page parses, calls one verb and shows the answer: entities and the ORM stay beneath.',
      severity: 'error',
      from: { path: '^(modules/[^/]+/routes|app/routes)/', ...code },
      to: {
        path: '(^modules/[^/]+/schema\\.ts$|^tenants/schema\\.ts$|^db/|node_modules/@mikro-orm/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-code-stays-browser',
      severity: 'error',
      from: { path: '^(modules/[^/]+/(import/)?(components|widgets)|app/ui)/', ...code },
      to: {
        path: '(^modules/[^/]+/(services|queries)/|^modules/[^/]+/schema\\.ts$|\\.server\\.|^modules/[^/]+/(index|api|jobs)\\.ts$|^(db|tenants|app/server)/|node_modules/(@mikro-orm|pg|pg-boss|pino|zod)/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tests-stay-outside',
      severity: 'error',
      from: { path: '^(app|db|tenants|modules)/', ...code },
      to: { path: '(^tests/|\\.test\\.tsx?$|/e2e/)' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|\\.cache|\\.data)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
