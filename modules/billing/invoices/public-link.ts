import { signedLink } from '#tenants/signed-link.ts'

export const {
  getPath: getInvoicePath,
  getUrl: getInvoiceUrl,
  read: readInvoiceToken,
} = signedLink('invoice', '/invoice/')
