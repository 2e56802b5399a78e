"""The wheel carries a library of this platform, but no module of one Python: its tag is py3-none-PLATFORM."""

import os

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    version=os.environ["FENCEPOST_VERSION"],
    distclass=PlatformDistribution,
    cmdclass={"bdist_wheel": PlatformWheel},
)
