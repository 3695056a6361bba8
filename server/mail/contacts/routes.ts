import { contactOperations } from '../../../contract/contacts.ts';
import { serve } from '../../serve.ts';
import { deleteContact } from './delete-contact.ts';
import { getAgentContact, getPosterContact } from './get-contact.ts';
import { setAgentContact, setPosterContact } from './set-contact.ts';

export const contactRoutes = [
  serve(contactOperations.getAgentContact, getAgentContact),
  serve(contactOperations.setAgentContact, setAgentContact),
  serve(contactOperations.deleteAgentContact, deleteContact),
  serve(contactOperations.getPosterContact, getPosterContact),
  serve(contactOperations.setPosterContact, setPosterContact),
  serve(contactOperations.deletePosterContact, deleteContact),
];
