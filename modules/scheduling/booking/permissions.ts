import type { AppLoadContext } from '@remix-run/node'
import type { Ctx, PermissionName } from '#tenants/context.ts'

/** The booking pages show free times to a visitor, and book one for a client or prospect. */
export const bookingPermissions: PermissionName[] = [
  'scheduling:availability:read',
  'scheduling:booking:write',
  'scheduling:appointment:read',
  'scheduling:appointment:write',
  'scheduling:type:read',
  'crm:client:read',
  'crm:client:write',
]

/** The context of somebody who books. Throws not_found on the platform's host. */
export function openAsVisitor(context: AppLoadContext): Promise<Ctx> {
  const { prospects, onlineSales } = context.requestContext.platform.extensions
  return context.visitor([
    ...bookingPermissions,
    ...(prospects?.permissions ?? []),
    ...(onlineSales?.permissions ?? []),
  ])
}
