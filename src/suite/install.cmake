# What `cmake --install` puts where: the programs, the library with its one header, claims and schemas, completion and manual page.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY FOLDPROOF_LAYERS)
list(TRANSFORM layers REPLACE "=.*" "")
list(TRANSFORM layers PREPEND foldproof_)
set_target_properties(foldproof_suite PROPERTIES EXPORT_NAME foldproof)
add_library(foldproof::foldproof ALIAS foldproof_suite)
install(TARGETS ${layers} foldproof_certificate EXPORT foldproofTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS foldproof foldproof-verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES src/suite/foldproof.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/foldproof)
install(DIRECTORY fixtures/claims fixtures/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/foldproof)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/foldproof)
set(data ${CMAKE_INSTALL_DATADIR}/foldproof)
configure_package_config_file(src/suite/foldproofConfig.cmake.in ${PROJECT_BINARY_DIR}/foldproofConfig.cmake INSTALL_DESTINATION ${package} PATH_VARS data)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/foldproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT foldproofTargets NAMESPACE foldproof:: DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/foldproofConfig.cmake ${PROJECT_BINARY_DIR}/foldproofConfigVersion.cmake DESTINATION ${package})

# The program writes its own completion and manual page.
set(pages ${PROJECT_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages})
add_custom_command(OUTPUT ${pages}/foldproof.1 ${pages}/foldproof.bash ${pages}/_foldproof ${pages}/foldproof.fish
  COMMAND foldproof man > ${pages}/foldproof.1
  COMMAND foldproof completion bash > ${pages}/foldproof.bash
  COMMAND foldproof completion zsh > ${pages}/_foldproof
  COMMAND foldproof completion fish > ${pages}/foldproof.fish
  DEPENDS foldproof
  COMMENT "Manual page and completion")
add_custom_target(pages ALL DEPENDS ${pages}/foldproof.1)
install(FILES ${pages}/foldproof.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/foldproof.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME foldproof)
install(FILES ${pages}/_foldproof DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${pages}/foldproof.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
