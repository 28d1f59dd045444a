import { signedLink } from '#tenants/signed-link.ts'

/** The page where the attendee changes or cancels the appointment. */
export const {
  getPath: getManagePath,
  getUrl: getManageUrl,
  read: readManageToken,
} = signedLink('manage-booking', '/booking/')
