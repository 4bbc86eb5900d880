"""What one model alone shows, by the model's name in the registry."""

from pages.views import rbm

VIEWS = {"rbm": rbm.show}
