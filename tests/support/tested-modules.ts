import { createAppApi } from '#app/server/process/runtime.ts'
import { modules } from '#modules/registry.ts'
import type { Operation } from '#tenants/api/operation.ts'

const names = process.env.TEST_MODULES?.split(',')

/** The modules whose generated tests run: all, or those of `npm test -- MODULE`. */
export const testedModules = modules.filter(({ id }) => !names || names.includes(id))

/** The API operations whose generated tests run, with a name for the test's title. */
export const testedCalls: { operation: Operation; name: string }[] = (
  names ? testedModules.flatMap(({ operations = [] }) => operations) : createAppApi().operations
).map((operation) => ({ operation, name: `${operation.method.toUpperCase()} ${operation.path}` }))

/** Whether the generated tests of a page run, by its id in app/routes.ts. */
export function isTestedRoute(routeId: string): boolean {
  return (
    !names ||
    testedModules.some(
      ({ id, recordKinds = [] }) =>
        routeId.startsWith(`${id}/`) || recordKinds.some(({ kind }) => routeId === `history/${kind}`),
    )
  )
}
