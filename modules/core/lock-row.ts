import { LockMode, type EntityName, type FilterQuery } from '@mikro-orm/core'
import type { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'

/** Loads a row and locks it until the transaction ends. Throws the record's not_found. */
export async function lockRow<Row extends object>(
  { em }: Pick<WriteCtx, 'em'>,
  record: { notFound: () => AppError },
  entity: EntityName<Row>,
  where: FilterQuery<NoInfer<Row>>,
): Promise<Row> {
  const row = await em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!row) throw record.notFound()
  return row
}
