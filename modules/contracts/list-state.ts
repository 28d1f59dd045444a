import { enumParam, idParam, pageParam, urlState } from '#app/lib/url.ts'
import { contractStatuses, type ContractStatus } from './fields.ts'

export const pageSize = 50

export const contractsUrl = urlState('/contracts', {
  status: enumParam(Object.keys(contractStatuses) as ContractStatus[]),
  page: pageParam,
  dialog: enumParam(['add']),
  client: idParam,
})

export const contractUrl = (id: number) =>
  urlState(`/contracts/${id}`, {
    view: enumParam(['preview']),
    dialog: enumParam(['send', 'sign', 'void', 'delete']),
  })

export const templatesUrl = urlState('/contracts/templates', {
  dialog: enumParam(['add', 'delete', 'require']),
  template: idParam,
  product: idParam,
})

export const templateUrl = (id: number) => urlState(`/contracts/templates/${id}`, { view: enumParam(['preview']) })

export const contractFileUrl = (id: number): string => `/contracts/${id}/file`
